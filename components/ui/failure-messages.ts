import type { Texts } from '@/components/i18n/texts'

export const failureText = {
  title: 'That did not work. Nothing was changed.',
  lost: 'We did not get an answer. It may have worked: reload the page and look.',
  page: { title: 'This page could not be loaded', body: 'Try again in a moment.' },
  offline: 'You are offline. Nothing was changed.',
  unreachable: 'We could not reach the server. Check your connection.',
  unknown: 'Something went wrong on our side.',
  retry: 'Try again',
  signedOut: 'You are signed out. What you entered is still here.',
  signIn: 'Sign in',
  details: 'Details',
  requestId: 'Request ID',
  errorId: 'Error ID',
  /** The words for refusals whose message from the service does not suit, by error code. */
  refusals: {} as Readonly<Record<string, string>>,
} as const

export const failureTexts: Texts<typeof failureText> = {
  en: failureText,
  de: () => import('./failure-messages.de').then((german) => german.failureTextDe),
}
