import type { Texts } from '@/components/i18n/texts'

/** What every page may have to say about what it shows. */
export const liveText = {
  waiting: (count: number) => `${count} waiting`,
  nothingWaiting: 'Nothing is waiting for you.',
  newlyWaiting: (count: number) =>
    count === 1 ? 'One request is waiting for you.' : `${count} requests are waiting for you.`,
  stale: 'What you see may be out of date. The connection was lost, and we keep trying to restore it.',
} as const

export const liveTexts: Texts<typeof liveText> = {
  en: liveText,
  de: () => import('./live-messages.de').then((german) => german.liveTextDe),
}
