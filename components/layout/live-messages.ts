import type { Texts } from '@/components/i18n/texts'

/** The notices that every page may show about its own state. */
export const liveText = {
  waiting: (count: number) => `${count} waiting`,
  nothingWaiting: 'Nothing is waiting for you.',
  newlyWaiting: (count: number) =>
    count === 1 ? 'One request is waiting for you.' : `${count} requests are waiting for you.`,
  offline: 'You are offline. Nothing was changed.',
  retry: 'Try again',
} as const

export const liveTexts: Texts<typeof liveText> = {
  en: liveText,
  de: () => import('./live-messages.de').then((german) => german.liveTextDe),
}
