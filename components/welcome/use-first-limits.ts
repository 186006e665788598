'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { readRequestError } from '@/components/lib/request-error'
import { useStepUp } from '@/components/security/use-step-up'
import type { StepUpProof } from '@/server/identity/passkeys/contract'
import type { WireLimits } from '@/server/wallet/limits/input'

/**
 * Saves limits. Those that the server takes for a raise are kept back until the person has been told so and saves the same
 * once more, which they confirm.
 */
export function useFirstLimits(onSaved: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const [isRaise, setIsRaise] = useState(false)
  const saving = useMutation(
    trpc.limits.save.mutationOptions({ onSuccess: onSaved, onSettled: () => queries.invalidateQueries() }),
  )
  const isRaiseRefused = isRaise && saving.error !== null && codeOf(saving.error) === STEP_UP
  const send = (limits: WireLimits, proof?: StepUpProof) =>
    saving.mutate({ ...limits, proof }, { onError: (error) => setIsRaise(codeOf(error) === STEP_UP) })
  const confirm = (limits: WireLimits) =>
    stepUp.prove({ purpose: 'limits.raise', subject: { client_id: null, limits } }).then(
      (proof) => send(limits, proof),
      () => undefined,
    )
  return {
    isRaise,
    busy: stepUp.busy || saving.isPending,
    failure: saving.error === null || isRaiseRefused ? stepUp.failure : { error: saving.error },
    save: (limits: WireLimits) => {
      if (isRaise) void confirm(limits)
      else send(limits)
    },
    /** What was typed has changed, and nothing has been said about it yet. */
    reset: () => {
      setIsRaise(false)
      stepUp.reset()
      saving.reset()
    },
  }
}

const STEP_UP = 'step_up_required'

const codeOf = (error: unknown): string | null => readRequestError(error).code
