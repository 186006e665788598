'use client'

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { signInAgain, useTRPC } from '@/components/api/client'
import type { StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { askPasskey, PasskeyPromptError } from './passkey-prompt'

/**
 * Why nothing was confirmed: the prompt's reason, `sign_in` while the person is sent to sign in, or the server's
 * refusal, before the confirmed action was sent or afterwards.
 */
export type StepUpFailureReason =
  | 'cancelled'
  | 'unsupported'
  | 'failed'
  | 'sign_in'
  | { readonly error: unknown; readonly isUnsent?: true }

/** Thrown when the person did not confirm. `StepUpFailure` puts it into words. */
export class StepUpError extends Error {
  override readonly name = 'StepUpError'
  constructor(readonly reason: StepUpFailureReason) {
    super('The person did not confirm')
  }
}

/**
 * Lets the person confirm an action. `prove` resolves with the proof to send along, or with undefined when the session
 * itself is enough; else it rejects with a StepUpError, which `failure` keeps for StepUpFailure. `reset` cancels the
 * confirmation: an answer that comes later proves nothing.
 */
export function useStepUp() {
  const trpc = useTRPC()
  const { mutateAsync: askServer } = useMutation(trpc.security.stepUpOptions.mutationOptions())
  const [failure, setFailure] = useState<StepUpFailureReason | null>(null)
  const [busy, setBusy] = useState(false)
  const withdrawal = useRef<AbortController>(null)

  const prove = async (action: StepUpAction): Promise<StepUpProof | undefined> => {
    withdrawal.current ??= new AbortController()
    const { signal } = withdrawal.current
    setFailure(null)
    setBusy(true)
    try {
      const options = await askServer(action)
      signal.throwIfAborted()
      if (options.way === 'session') return undefined
      if (options.way === 'sign_in') throw goSignIn()
      const response = await askPasskey(options.options, signal)
      signal.throwIfAborted()
      return { challenge_id: options.challenge_id, response: toProof(response) }
    } catch (error) {
      const reason = reasonOf(error)
      if (!signal.aborted) setFailure(reason)
      throw new StepUpError(reason)
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  const reset = () => {
    withdrawal.current?.abort()
    withdrawal.current = null
    setFailure(null)
    setBusy(false)
  }

  return { prove, failure, busy, reset }
}

function goSignIn(): StepUpError {
  signInAgain()
  return new StepUpError('sign_in')
}

function reasonOf(error: unknown): StepUpFailureReason {
  if (error instanceof StepUpError) return error.reason
  if (!(error instanceof PasskeyPromptError)) return { error, isUnsent: true }
  return error.reason === 'known' ? 'failed' : error.reason
}

type Response = Awaited<ReturnType<typeof askPasskey>>

/** Returns the proof without extension results, since no extension is requested. */
function toProof({ id, rawId, response }: Response): StepUpProof['response'] {
  return { id, rawId, type: 'public-key', response: { ...response }, clientExtensionResults: {} }
}
