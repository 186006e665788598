import type { Translated } from '@/components/i18n/texts'
import type { layoutText } from './messages'

export const layoutTextDe: Translated<typeof layoutText> = {
  noScript: 'Diese Seite braucht JavaScript. Ohne lässt sich hier nichts absenden oder entscheiden.',
  tagline: 'Sie geben frei, was Ihre Agenten kaufen.',
  skip: 'Zum Inhalt springen',
  freeze: 'Ausgaben einfrieren',
  freezing: 'Wird eingefroren\u00a0…',
  sandbox: { local: 'SANDBOX – kein echtes Geld', public: 'ÖFFENTLICHE SANDBOX – kein echtes Geld' },
  nav: {
    label: 'Hauptnavigation',
    home: 'Start',
    approvals: 'Freigaben',
    agents: 'Agenten',
    limits: 'Limits',
    merchants: 'Händler',
    payments: 'Zahlungen',
    cards: 'Karten',
    activity: 'Aktivität',
    notifications: 'Benachrichtigungen',
    security: 'Sicherheit',
    credentials: 'Wallet-Nachweise',
    privacy: 'Datenschutz',
    age: 'Alter',
    developers: 'Entwickler',
    accessibility: 'Barrierefreiheit',
    more: 'Mehr',
  },
  account: 'Konto',
  theme: 'Darstellung',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  goTo: 'Gehe zu\u00a0…',
  shortcuts: 'Tastenkürzel',
  controlKey: 'Strg',
  signOut: 'Abmelden',
  signOutEverywhere: 'Überall abmelden',
  switchedOff: {
    consent_scan: {
      title: 'Freigaben sind abgeschaltet',
      body: 'Der Betreiber hat Freigaben abgeschaltet. Es wurde nichts abgebucht, und Agenten können vorerst nicht anfragen. Was wartet, können Sie weiterhin ablehnen.',
    },
    settlement: {
      title: 'Zahlungen sind abgeschaltet',
      body: 'Der Betreiber hat Abbuchungen von Karten abgeschaltet. Bis sie wieder möglich sind, wird nicht abgebucht, was Sie freigeben, und Ihr Agent muss vielleicht noch einmal anfragen.',
    },
    card_enrolment: {
      title: 'Karten hinzufügen ist abgeschaltet',
      body: 'Der Betreiber hat das Hinzufügen von Karten abgeschaltet. Ihre vorhandenen Karten funktionieren weiter.',
    },
  },
  notFound: {
    title: 'Hier ist nichts',
    body: 'Die Adresse ist falsch, oder was hier stand, ist vorbei oder gehört nicht Ihnen. Falls Sie über einen Link gekommen sind, bitten Sie Ihren Agenten, es noch einmal zu versuchen.',
    home: 'Zur Startseite',
  },
}
