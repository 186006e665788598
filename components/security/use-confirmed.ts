'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { StepUpError, useStepUp } from './use-step-up'

interface Confirmed<T> {
  readonly action: StepUpAction
  readonly send: (proof: StepUpProof | undefined) => Promise<T>
  /** What it promises is waited for: the change is not done before. */
  readonly onSuccess?: (answer: T) => unknown
}

/** Lets the person confirm exactly this action, and then sends it with the proof. */
export function useConfirmed<T>({ action, send, onSuccess }: Confirmed<T>) {
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const sending = useMutation({
    mutationFn: async () => send(await stepUp.prove(action)),
    onSuccess: (answer: T) => onSuccess?.(answer),
    onSettled: () => queries.invalidateQueries(),
  })
  const isUnproven = sending.error === null || sending.error instanceof StepUpError
  return {
    run: () => sending.mutate(),
    busy: sending.isPending,
    /** Whether the person is being asked, so that nothing has been sent. */
    proving: stepUp.busy,
    isDone: sending.isSuccess,
    /** The failure, for StepUpFailure. */
    failure: isUnproven ? stepUp.failure : { error: sending.error },
    reset: () => {
      stepUp.reset()
      sending.reset()
    },
  }
}
