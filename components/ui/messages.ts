import type { Texts } from '@/components/i18n/texts'

export const uiText = {
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading',
  unreadLink: {
    title: 'This link could not be read in full',
    body: 'What we could not read is left out, so the list may show more than you expect. It begins with the newest.',
    action: 'Show the whole list',
  },
  copy: {
    button: 'Copy',
    name: (what: string) => `Copy ${what}`,
    done: 'Copied',
    news: (what: string) => `Copied ${what}`,
    refused: (what: string) => `The browser did not let us copy the ${what}. Select the text instead.`,
  },
} as const

export const uiTexts: Texts<typeof uiText> = {
  en: uiText,
  de: () => import('./messages.de').then((german) => german.uiTextDe),
}
