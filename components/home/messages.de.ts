import type { Translated } from '@/components/i18n/texts'
import type { homeText } from './messages'

export const homeTextDe: Translated<typeof homeText> = {
  title: 'Start',
  greeting: (name) => `Guten Tag, ${name}`,
  waiting: 'Wartet auf Sie',
  allWaiting: (count) => `Alle ${count} offenen Anfragen`,
  nothingWaiting: {
    title: 'Nichts offen',
    body: 'Wenn ein Agent bezahlen möchte, sehen Sie es sofort hier.',
    frozen: 'Die Ausgaben sind eingefroren, daher kann kein Agent fragen.',
  },
  spend: 'Ausgegeben',
  noSpend: 'Heute wurde nichts ausgegeben.',
  held: (amount) => `Davon sind ${amount} für laufende Zahlungen vorgemerkt.`,
  payments: 'Letzte Zahlungen',
  allPayments: 'Alle Zahlungen',
  agents: (count, paused) => `Agenten ${count}${paused === 0 ? '' : ` · ${paused} pausiert`}`,
  limits: 'Limits',
  description: 'Was auf Sie wartet, was Ihre Agenten ausgegeben haben und worum Sie sich kümmern sollten.',
  alerts: {
    title: 'Darum sollten Sie sich kümmern',
    dispute: {
      title: (amount, payee) => `Die Zahlung von ${amount} an ${payee} ist reklamiert`,
      action: 'Stand ansehen',
      several: 'Mehrere Zahlungen sind reklamiert',
      all: 'Ansehen',
    },
    cardExpiring: {
      title: (card, month) => `${card} läuft Ende ${month} ab`,
      body: 'Fügen Sie rechtzeitig die neue hinzu, damit Agenten weiter bezahlen können.',
    },
    cardExpired: { title: (card) => `${card} ist abgelaufen`, body: 'Ihre Bank lehnt sie vielleicht ab.' },
    cards: 'Zu den Karten',
  },
}
