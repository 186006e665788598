import type { Texts } from '@/components/i18n/texts'

/** What has become of a request; several pages say it, and need no other text of the approvals. */
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
