import type { Texts } from '@/components/i18n/texts'

/** The texts of pages that ask for a confirmation; separate from those of the page about passkeys, which are many. */
export const stepUpText = {
  failure: {
    cancelled: 'Nothing was changed. The passkey prompt was closed before you confirmed, or it ran out of time.',
    unsupported: 'This browser cannot use passkeys here. Open the portal on a device that holds one of yours.',
    failed: 'Your passkey could not be asked. Try again.',
    sign_in: 'Sign in again to confirm. You are taken to the sign-in page and come back here afterwards.',
  },
  hint: {
    title: 'Approve with your fingerprint, face or PIN',
    body: 'With a passkey you confirm at a glance instead of by mail.',
    action: 'Add a passkey',
  },
} as const

export const stepUpTexts: Texts<typeof stepUpText> = {
  en: stepUpText,
  de: () => import('./step-up-messages.de').then((german) => german.stepUpTextDe),
}
