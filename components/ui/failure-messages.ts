import type { Texts } from '@/components/i18n/texts'

export const failureText = {
  title: 'This did not work',
  page: 'This page could not be loaded. Nothing was changed and nothing was charged.',
  offline: 'We could not reach the server. Check your connection; nothing was changed.',
  unknown: 'Something went wrong on our side.',
  retry: 'Try again',
  requestId: 'Request ID',
  errorId: 'Error ID',
  /** By the service's word for a refusal, where its own English words will not do. */
  refusals: {} as Readonly<Record<string, string>>,
} as const

export const failureTexts: Texts<typeof failureText> = {
  en: failureText,
  de: () => import('./failure-messages.de').then((german) => german.failureTextDe),
}
