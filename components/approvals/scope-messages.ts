import type { Texts } from '@/components/i18n/texts'

/** The meaning of each permission in words, by scope. */
export const scopeText: Readonly<Record<string, { readonly title: string; readonly hint: string }>> = {
  'oid4ac:payment': { title: 'Ask to pay', hint: 'Asks for a purchase; you or your rules decide each one.' },
  'payment:execute': { title: 'Pay what was approved', hint: 'Completes a purchase after it was approved.' },
  'wallet:read': {
    title: 'See your wallet',
    hint: 'Sees your agents, limits, cards (last four digits) and open requests.',
  },
  'wallet:write': {
    title: 'Change your wallet',
    hint: 'Changes limits, cards, merchant rules and notifications, pauses, resumes and revokes agents, freezes and unfreezes spending, and approves or declines requests in your name.',
  },
  'audit:read': { title: 'See your payment history', hint: 'Reads your payments and the log of what happened.' },
  'privacy:dsar': {
    title: 'Use your privacy rights',
    hint: 'Exports, corrects or erases your personal data in your name.',
  },
}

export const scopeTexts: Texts<typeof scopeText> = {
  en: scopeText,
  de: () => import('./scope-messages.de').then((german) => german.scopeTextDe),
}
