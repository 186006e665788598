import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { CardholderChallengeView } from '@/components/lib/api-types'
import { openStripe } from '@/components/lib/stripe'
import { confirmTexts } from './confirm-messages'

type Answer = 'bank' | 'confirm' | 'refuse' | 'decline'

export interface Answers {
  /** The answer that is being sent or has just arrived; null before the person has answered. */
  readonly under: Answer | null
  /** Whether the person has answered on this page. */
  readonly answered: boolean
  /** The message with which the bank, or Stripe in its name, refused; null when it did not. */
  readonly refusal: string | null
  readonly error: unknown
  readonly give: (answer: Answer) => void
}

/** Returns the answers that a cardholder can give to a challenge. */
export function useAnswers(id: string, bank: CardholderChallengeView['bank']): Answers {
  const text = useText(confirmTexts).bank
  const trpc = useTRPC()
  const queries = useQueryClient()
  const check = useMutation(trpc.payments.checkStepUp.mutationOptions())
  const decline = useMutation(trpc.payments.declineStepUp.mutationOptions())
  const testBank = useMutation(trpc.payments.answerTestBank.mutationOptions())
  const answer = useMutation({
    mutationFn: async (choice: Answer): Promise<string | null> => {
      if (choice === 'decline') await decline.mutateAsync({ id })
      else if (choice !== 'bank') await testBank.mutateAsync({ id, answer: choice })
      else return askBank(bank, text, () => check.mutateAsync({ id }))
      return null
    },
    // Also after a refusal, since the challenge may have been answered elsewhere.
    onSettled: () => queries.invalidateQueries(),
  })
  const refusal = answer.data ?? null
  const settled = answer.isSuccess && refusal === null
  return {
    under: answer.isPending || settled ? answer.variables : null,
    answered: answer.isSuccess,
    refusal,
    error: answer.error,
    give: answer.mutate,
  }
}

/** Lets the bank ask the cardholder. Resolves with the message of a refusal, or null. */
async function askBank(
  bank: CardholderChallengeView['bank'],
  text: TextOf<typeof confirmTexts>['bank'],
  check: () => Promise<unknown>,
): Promise<string | null> {
  if (bank === null || bank.publishable_key === null) return text.missing
  const stripe = await openStripe(bank.publishable_key)
  if (stripe === null) return text.unavailable
  const { error } = await stripe.confirmCardPayment(bank.client_secret, { payment_method: bank.payment_method_id })
  await check()
  return error === undefined ? null : (error.message ?? text.refused)
}
