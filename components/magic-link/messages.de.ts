import type { Translated } from '@/components/i18n/texts'
import type { magicLinkText } from './messages'

export const magicLinkTextDe: Translated<typeof magicLinkText> = {
  title: 'Bestätigen',
  payment: { title: (amount) => `${amount} bezahlen?`, by: 'Angefragt von' },
  wallet: { title: 'Darf Ihr Agent Ihre Wallet nutzen?' },
  whose: 'Wallet von',
  body: 'Ihre Regeln erlauben das; es muss per E-Mail bestätigt werden. Fahren Sie nur fort, wenn Sie es erwarten.',
  submit: 'Ja, bestätigen',
  leave: 'Wenn Sie das nicht möchten, schließen Sie diese Seite: Ohne Sie geschieht nichts.',
  gone: {
    title: 'Dieser Link gilt nicht mehr',
    body: 'Er ist unbekannt oder älter als 15 Minuten. Wenn Sie ihn nicht bestätigt haben, kann Ihr Agent erneut anfragen.',
    approvals: 'Ihre Freigaben ansehen',
  },
  used: {
    title: 'Dieser Link wurde schon verwendet',
    body: 'Jeder Link bestätigt einmal. Wenn Sie das nicht waren, sehen Sie nach, was Ihre Agenten tun, und entziehen Sie dem Agenten, der angefragt hat, den Zugriff.',
    agents: 'Meine Agenten ansehen',
  },
}
