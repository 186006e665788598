import type { Translated } from '@/components/i18n/texts'
import type { homeText } from './messages'

export const homeTextDe: Translated<typeof homeText> = {
  title: 'Start',
  greeting: (name) => `Guten Tag, ${name}`,
  waiting: 'Wartet auf Sie',
  allWaiting: (count) => `Alle ${count} Wartenden`,
  nothingWaiting: { title: 'Nichts offen', body: 'Wenn ein Agent bezahlen möchte, sehen Sie es sofort hier.' },
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
    },
    cardExpiring: {
      title: (card, month) => `${card} läuft Ende ${month} ab`,
      body: 'Fügen Sie rechtzeitig die neue hinzu, damit Agenten weiter bezahlen können.',
    },
    cardExpired: { title: (card) => `${card} ist abgelaufen`, body: 'Agenten können damit nicht mehr bezahlen.' },
    cards: 'Zu den Karten',
  },
  checklist: {
    title: 'Erste Schritte',
    body: 'Vier Schritte, bis ein Agent etwas für Sie kaufen kann.',
    done: 'Erledigt',
    toDo: 'Noch offen',
    card: {
      title: 'Karte hinzufügen',
      body: 'Damit bezahlen Agenten, wenn Sie oder Ihre Regeln zugestimmt haben.',
      href: '/cards',
    },
    limits: { title: 'Limits festlegen', body: 'Wie viel höchstens, pro Tag und pro Zahlung.', href: '/limits' },
    agent: {
      title: 'Agenten verbinden',
      body: 'Übergeben Sie dem Assistenten, der für Sie kaufen soll, einen Code.',
      href: '/agents/new',
    },
    purchase: {
      title: 'Kauf ausprobieren',
      body: 'Bitten Sie Ihren Agenten, in einem Sandbox-Shop etwas zu kaufen, und geben Sie es hier frei. Es fließt kein echtes Geld.',
      href: '/approvals',
    },
    purchaseLive: {
      title: 'Erster Kauf',
      body: 'Bitten Sie Ihren Agenten, etwas zu kaufen, und geben Sie es hier frei.',
      href: '/approvals',
    },
  },
}
