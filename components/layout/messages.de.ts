import type { Translated } from '@/components/i18n/texts'
import type { layoutText } from './messages'

const unknown = 'Auf unserer Seite ist ein Fehler aufgetreten.'

export const layoutTextDe: Translated<typeof layoutText> = {
  product: 'Countersign',
  tagline: 'Sie geben frei, was Ihre Agenten kaufen.',
  skip: 'Zum Inhalt springen',
  sandbox: 'SANDBOX – kein echtes Geld',
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
    privacy: 'Datenschutz',
    developers: 'Entwickler',
    more: 'Mehr',
  },
  waiting: (count) => `${count} offen`,
  nothingWaiting: 'Es wartet nichts auf Sie.',
  newlyWaiting: (count) => (count === 1 ? 'Eine Anfrage wartet auf Sie.' : `${count} Anfragen warten auf Sie.`),
  account: 'Konto',
  theme: 'Darstellung',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  language: 'Sprache',
  goTo: 'Gehe zu …',
  shortcuts: 'Tastenkürzel',
  controlKey: 'Strg',
  signOut: 'Abmelden',
  signOutEverywhere: 'Überall abmelden',
  stale:
    'Diese Anzeige ist möglicherweise nicht mehr aktuell. Die Verbindung ist abgebrochen; wir versuchen weiter, sie wiederherzustellen.',
  switchedOff: {
    consent_scan: {
      title: 'Freigaben sind abgeschaltet',
      body: 'Der Betreiber hat Freigaben abgeschaltet. Es wurde nichts abgebucht, und Agenten können vorerst nicht anfragen.',
    },
    settlement: {
      title: 'Zahlungen sind abgeschaltet',
      body: 'Der Betreiber hat Abbuchungen von Karten abgeschaltet. Was Sie jetzt freigeben, wird erst abgebucht, wenn sie wieder möglich sind.',
    },
    card_enrolment: {
      title: 'Karten hinzufügen ist abgeschaltet',
      body: 'Der Betreiber hat das Hinzufügen von Karten abgeschaltet. Ihre vorhandenen Karten funktionieren weiter.',
    },
  },
  error: {
    title: 'Das hat nicht funktioniert',
    page: 'Diese Seite konnte nicht geladen werden. Es wurde nichts geändert und nichts abgebucht.',
    offline: 'Wir konnten den Server nicht erreichen. Prüfen Sie Ihre Verbindung; es wurde nichts geändert.',
    unknown,
    retry: 'Erneut versuchen',
    requestId: 'Vorgangs-ID',
    errorId: 'Fehler-ID',
  },
  refusals: {
    access_denied: 'Das ist für Ihr Konto zurzeit nicht möglich.',
    bad_gateway: 'Der Zahlungsdienstleister ist zurzeit nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    body_too_large: 'Die Eingabe ist zu lang.',
    conflict:
      'Das passt nicht mehr zum aktuellen Stand. Vielleicht wurde es schon entschieden; laden Sie die Seite neu.',
    forbidden: 'Das ist nicht erlaubt. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    invalid_request: 'Die Eingabe ist nicht gültig. Prüfen Sie Ihre Angaben.',
    invalid_scope: 'Diese Berechtigung gibt es hier nicht.',
    method_not_allowed: unknown,
    unsupported_media_type: unknown,
    invalid_token: 'Ihre Anmeldung oder der Link gilt nicht mehr. Melden Sie sich neu an.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    rate_limited: 'Das waren zu viele Versuche. Warten Sie kurz und versuchen Sie es dann noch einmal.',
    request_timeout: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
    server_error: unknown,
    service_unavailable: 'Diese Funktion ist abgeschaltet oder zurzeit nicht verfügbar.',
    step_up_required: 'Bestätigen Sie das mit Ihrem Passkey oder melden Sie sich neu an.',
  },
  notFound: {
    title: 'Hier ist nichts',
    body: 'Die Adresse ist falsch, oder was hier stand, ist vorbei oder gehört nicht Ihnen. Falls Sie über einen Link gekommen sind, bitten Sie Ihren Agenten, es noch einmal zu versuchen.',
    home: 'Zur Startseite',
  },
}
