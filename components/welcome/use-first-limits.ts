'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { readRequestError } from '@/components/lib/request-error'
import { allowsMore, besideOthers } from '@/components/limits/wanted-limits'
import { useStepUp } from '@/components/security/use-step-up'
import type { StepUpProof } from '@/server/identity/passkeys/contract'
import type { RecordedLimits, WireLimits } from '@/server/wallet/limits/input'

/**
 * Saves limits over the stored ones. A change that allows more is held back until the person has been told so and saves
 * the same once more, which they confirm; the same applies where only the server finds that it allows more.
 */
export function useFirstLimits(stored: RecordedLimits | null, onSaved: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [isTold, setIsTold] = useState(false)
  const saving = useMutation(
    trpc.limits.save.mutationOptions({ onSuccess: onSaved, onSettled: () => queries.invalidateQueries() }),
  )
  const isRefusedFirst = isTold && saving.error !== null && isStepUp(saving.error)
  const send = (limits: WireLimits, proof?: StepUpProof) =>
    saving.mutate({ ...limits, proof }, { onError: (error) => setIsTold(isStepUp(error)) })
  const confirm = (limits: WireLimits) =>
    stepUp.prove({ purpose: 'limits.raise', subject: { client_id: null, limits: besideOthers(stored, limits) } }).then(
      (proof) => send(limits, proof),
      () => undefined,
    )
  return {
    /** Whether the person was told that the typed limits allow more than before. */
    isTold,
    busy: stepUp.busy || saving.isPending,
    failure: saving.error === null || isRefusedFirst ? stepUp.failure : { error: saving.error },
    save: (limits: WireLimits) => {
      if (isTold) void confirm(limits)
      else if (allowsMore(stored, besideOthers(stored, limits))) setIsTold(true)
      else send(limits)
    },
    /** Resets the state after the typed limits have changed. */
    reset: () => {
      setIsTold(false)
      stepUp.reset()
      saving.reset()
    },
  }
}

const isStepUp = (error: unknown): boolean => readRequestError(error).code === 'step_up_required'
