import type { Texts } from '@/components/i18n/texts'

/**
 * The status of an approval in words; separate from the other texts of approvals, since several pages need only these.
 */
export const consentStatusText = {
  pending: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
} as const

export const consentStatusTexts: Texts<typeof consentStatusText> = {
  en: consentStatusText,
  de: () => import('./status-messages.de').then((german) => german.consentStatusTextDe),
}
