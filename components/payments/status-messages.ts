import type { Texts } from '@/components/i18n/texts'

/** What has become of a payment; several pages say it, and need no other text of the payments. */
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
