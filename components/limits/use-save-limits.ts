'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { readRequestError } from '@/components/lib/request-error'
import { useStepUp } from '@/components/security/use-step-up'
import type { StepUpProof } from '@/server/identity/passkeys/contract'
import { NO_WIRE_LIMITS, type RecordedLimits, type WireLimits } from '@/server/wallet/limits/input'
import { useFirstTimeZone } from './use-first-time-zone'
import { allowsMore, besideOthers, onlyCaps } from './wanted-limits'

interface LimitsChange {
  readonly before: RecordedLimits | null
  readonly after: WireLimits
  readonly open: boolean
}

const UNSAVED = { isPending: false, isSuccess: false, error: null }

/** One currency of several, when only its limits are saved. */
interface OneCurrency {
  readonly currency: string
  readonly onSaved: () => void
}

/**
 * Saves limits: at once where they allow nothing more than before, else after the person has compared and confirmed
 * them. The server decides which applies; when it disagrees with the page, the person is asked after all.
 */
export function useSaveLimits(clientId: string | null, stored: RecordedLimits | null, one: OneCurrency | null = null) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [asked, setAsked] = useState<LimitsChange>({ before: null, after: NO_WIRE_LIMITS, open: false })
  const [undoable, setUndoable] = useState<string | null>(null)
  const ask = (after: WireLimits) => setAsked({ before: stored, after, open: true })
  const close = () => setAsked((last) => ({ ...last, open: false }))
  const options = {
    onSuccess: ({ undo }: { readonly undo: string | null }) => {
      close()
      setUndoable(undo)
      one?.onSaved()
    },
    onSettled: () => queries.invalidateQueries(),
  }
  const wallet = useMutation(trpc.limits.save.mutationOptions(options))
  const agent = useMutation(trpc.agents.saveLimits.mutationOptions({ ...options, onMutate: useBeforeAgents() }))
  const currency = useMutation(trpc.limits.saveCurrency.mutationOptions(options))
  const save = one !== null ? currency : clientId === null ? wallet : agent

  const send = (wanted: WireLimits, proof?: StepUpProof) => {
    const onError = (error: unknown) => {
      // The change looked like a lowering to the page, but is not one for the server.
      if (proof === undefined && readRequestError(error).code === 'step_up_required') ask(wanted)
    }
    const { time_zone, other_currencies: others, ...limits } = onlyLimits(wanted)
    if (one !== null) {
      const caps = limits.currency === one.currency ? limits : others?.[one.currency]
      currency.mutate({ ...onlyCaps(caps ?? NO_WIRE_LIMITS), currency: one.currency, proof }, { onError })
    } else if (clientId === null) wallet.mutate({ ...limits, time_zone, proof }, { onError })
    else agent.mutate({ client_id: clientId, ...limits, proof }, { onError })
  }

  return {
    save,
    /** The state of the save; unsaved while the dialog is open, which shows its own. */
    shown: asked.open ? UNSAVED : save,
    /** The change that the person is asked to confirm, or was last asked to. */
    asked,
    /** The change that can be undone with one press; null when the last one cannot. */
    undoable,
    failure: save.error === null ? stepUp.failure : { error: save.error },
    busy: stepUp.busy || save.isPending,
    proving: stepUp.busy,
    /** Saves the typed limits; other currencies that they do not name stay as they are. */
    submit: (typed: WireLimits) => {
      const wanted = clientId === null && one === null ? besideOthers(stored, typed) : typed
      stepUp.reset()
      if (allowsMore(stored, wanted)) ask(wanted)
      else send(wanted)
    },
    confirm: () => {
      save.reset()
      const subject = { client_id: clientId, limits: onlyLimits(asked.after) }
      stepUp.prove({ purpose: 'limits.raise', subject }).then(
        (proof) => send(asked.after, proof),
        () => undefined,
      )
    },
    cancel: () => {
      close()
      stepUp.reset()
      save.reset()
    },
  }
}

interface Windows {
  readonly weekly_cap_minor?: number | null | undefined
  readonly monthly_cap_minor?: number | null | undefined
}

/** Returns what is done before an agent's limits are saved: its weeks and months begin in the person's time zone. */
function useBeforeAgents() {
  const chooseTimeZone = useFirstTimeZone()
  return ({ weekly_cap_minor: weekly, monthly_cap_minor: monthly }: Windows) =>
    weekly == null && monthly == null ? undefined : chooseTimeZone()
}

/** Returns only the members that are confirmed. */
function onlyLimits(limits: WireLimits): WireLimits {
  const { currency, velocity_count, velocity_window_seconds, time_zone, other_currencies: others } = limits
  const more = others == null ? {} : { other_currencies: others }
  return { ...onlyCaps(limits), currency, velocity_count, velocity_window_seconds, time_zone, ...more }
}
