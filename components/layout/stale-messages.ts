import type { Texts } from '@/components/i18n/texts'
import { staleTextDe } from './stale-messages.de'

export const staleText = { stale: 'This page is out of date.', reload: 'Reload' } as const

/** In both languages at once, since no other script can be loaded where these are needed. */
export const staleTexts: Texts<typeof staleText> = { en: staleText, de: () => Promise.resolve(staleTextDe) }
