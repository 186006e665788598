'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type PasskeyAnswer, readPasskeyQuestion, type SignInOutcome, signInByPasskey } from '@/components/api/client'
import {
  askPasskey,
  canOfferPasskeys,
  offerPasskeys,
  PasskeyPromptError,
  withdrawOffer,
} from '@/components/security/passkey-prompt'

/** How long the autofill uses a challenge, which is valid for two minutes, before it gets a new one. */
const OFFER_MILLISECONDS = 110_000

/** Why signing in with a passkey failed: the browser's reason, or the service's. */
export type PasskeyFailure =
  | { readonly at: 'prompt'; readonly reason: 'refused' | 'cancelled' | 'unsupported' | 'failed' }
  | { readonly at: 'service'; readonly outcome: SignInOutcome }

/** Signs in with a passkey, by the button or by choosing one in the autofill of the address field. */
export function usePasskeySignIn(next: string) {
  const signIn = useMutation({
    mutationFn: async (answer: () => Promise<PasskeyAnswer | null>): Promise<SignInOutcome> => {
      const given = await answer()
      return given === null ? { ok: false, code: null } : signInByPasskey(given)
    },
    onSuccess: (outcome) => {
      if (outcome.ok) window.location.assign(next)
    },
  })
  const isDone = signIn.data?.ok === true
  const { mutate } = signIn
  useAutofill(!signIn.isPending && !isDone, (answer) => mutate(() => Promise.resolve(answer)))
  return { ask: () => mutate(askByButton), busy: signIn.isPending || isDone, failure: failureOf(signIn) }
}

async function askByButton(): Promise<PasskeyAnswer | null> {
  const question = await readPasskeyQuestion()
  if (question === null) return null
  return { challenge_id: question.challenge_id, response: toAnswer(await askPasskey(question.options)) }
}

/** Offers passkeys in the autofill; a failed offer is not reported. */
function useAutofill(enabled: boolean, onAnswer: (answer: PasskeyAnswer) => void): void {
  const [round, setRound] = useState(0)
  const receive = useEffectEvent(onAnswer)
  useEffect(() => {
    if (!enabled) return
    let isOver = false
    const offer = async () => {
      if (!(await canOfferPasskeys())) return
      const question = await readPasskeyQuestion()
      if (question === null || isOver) return
      const response = await offerPasskeys(question.options)
      if (!isOver) receive({ challenge_id: question.challenge_id, response: toAnswer(response) })
    }
    offer().catch(() => undefined)
    const timer = setTimeout(() => setRound(round + 1), OFFER_MILLISECONDS)
    return () => {
      isOver = true
      clearTimeout(timer)
      withdrawOffer().catch(() => undefined)
    }
  }, [enabled, round])
}

type Response = Awaited<ReturnType<typeof askPasskey>>

function toAnswer({ id, rawId, response }: Response): PasskeyAnswer['response'] {
  return { id, rawId, type: 'public-key', response: { ...response }, clientExtensionResults: {} }
}

interface Attempt {
  readonly data: SignInOutcome | undefined
  readonly error: Error | null
}

function failureOf({ data, error }: Attempt): PasskeyFailure | null {
  if (error instanceof PasskeyPromptError) {
    return { at: 'prompt', reason: error.reason === 'known' ? 'failed' : error.reason }
  }
  if (error !== null) return { at: 'prompt', reason: 'failed' }
  if (data === undefined || data.ok) return null
  return data.code === 'invalid_token' ? { at: 'prompt', reason: 'refused' } : { at: 'service', outcome: data }
}
