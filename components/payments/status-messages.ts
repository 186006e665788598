import type { Texts } from '@/components/i18n/texts'

/** The status of a payment in words; separate from the other texts of payments, since several pages need only these. */
export const paymentStatusText = {
  succeeded: 'Paid',
  disputed_pending: 'Disputed',
  disputed_won: 'Dispute closed, charge stands',
  disputed_lost: 'Dispute closed, returned',
} as const

export const paymentStatusTexts: Texts<typeof paymentStatusText> = {
  en: paymentStatusText,
  de: () => import('./status-messages.de').then((german) => german.paymentStatusTextDe),
}
