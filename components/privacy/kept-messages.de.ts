import type { Translated } from '@/components/i18n/texts'
import type { keptText } from './kept-messages'

export const keptTextDe: Translated<typeof keptText> = {
  title: 'Was gespeichert wird und warum',
  kept: (days) =>
    days === null
      ? 'solange es den Dienst gibt'
      : days === 0
        ? 'bis zum Ende'
        : `${days} ${days === 1 ? 'Tag' : 'Tage'} nach dem Ende`,
  untilErased: 'bis Sie es ändern oder löschen',
  grounds: {
    b: 'nötig für das, was Sie nutzen',
    c: 'gesetzlich vorgeschrieben',
    f: 'zum Schutz von Ihnen und Händlern',
  },
  kinds: {
    payments: {
      what: 'Zahlungen, Abbuchungen und Erstattungen',
      why: 'Buchungen müssen aufbewahrt werden, und eine wiederholte Abbuchung bekommt ihre erste Antwort',
    },
    mandates: { what: 'Mandate', why: 'sie belegen, was erlaubt war; die vereinbarten Artikel werden gelöscht' },
    approvals: {
      what: 'Freigaben und Limit-Anfragen',
      why: 'sie belegen, dass Sie genau das freigegeben haben; die Worte darin werden gelöscht',
    },
    audit: {
      what: 'Aufgezeichnete Aktivität (Kette der Einträge)',
      why: 'eine Kette mit Lücken belegt nichts; sie enthält zufällige IDs, Beträge und Zeiten, aber keinen Namen und keine Adresse',
    },
    spending: {
      what: 'Was jeden Tag ausgegeben wurde, als Zahlen',
      why: 'eine offene Zahlung zählt, sobald sie bekannt ist',
    },
    profile: { what: 'E-Mail-Adresse und Name', why: 'um Sie zu erkennen und Ihnen zu sagen, was geschieht' },
    wallet: {
      what: 'Karten, Agenten, Limits, Händlerregeln und gemerkte Freigaben',
      why: 'Sie haben sie eingerichtet, damit Agenten so zahlen, wie Sie wollen',
    },
    ageProofs: {
      what: 'Dass Sie ein Alter nachgewiesen haben, wer es bestätigt und bis wann',
      why: 'damit Agenten kaufen können, wo Käufer ein Alter erreicht haben müssen',
    },
    contacts: {
      what: 'Kanäle, Zeiten, Ereignisse und Handynummer',
      why: 'um Ihnen dort zu sagen, was geschieht, wo Sie es hören wollen',
    },
    credentials: {
      what: 'Passkeys (nur öffentliche Schlüssel) und Wiederherstellungscodes',
      why: 'um Sie anzumelden und damit Sie bestätigen können',
    },
    tokenFamilies: {
      what: 'Zugriff, den Agenten bekommen haben',
      why: 'ein gestohlenes Token, das spät benutzt wird, wird erkannt',
    },
    messages: { what: 'Nachrichten an Sie, versiegelt', why: 'für Fragen zu einer, die ankam oder nicht' },
    pushedRequests: { what: 'Was Agenten angefragt haben', why: 'eine spät wiederholte Anfrage wird erkannt' },
    presentationRequests: {
      what: 'Was Wallets auf Anfrage anderer vorgezeigt haben, versiegelt',
      why: 'der anfragende Server holt das Ergebnis ab',
    },
    codes: {
      what: 'Codes, die Agenten gegen Zugriff tauschen',
      why: 'ein zweimal benutzter Code beendet, was daraus wurde',
    },
    credentialOffers: {
      what: 'Angebote von Nachweisen für Ihre Wallet',
      why: 'ein spät benutztes Angebot wird erkannt; was es über Sie sagt, wird mit dem Abruf gelöscht',
    },
    issuedCredentials: {
      what: 'Welche Nachweise Ihre Wallet abgerufen hat, ohne deren Inhalt',
      why: 'sie können widerrufen werden, und man weiß, welche es wurden',
    },
    magicLinks: { what: 'Links aus E-Mails, die eine Anfrage bestätigen', why: 'ein spät benutzter Link wird erkannt' },
    tokenReplies: { what: 'Antworten an Agenten, versiegelt', why: 'dieselbe Anfrage bekommt dieselbe Antwort' },
    replayKeys: { what: 'Merkmale benutzter Nachweise', why: 'jeder Nachweis gilt einmal' },
    signInRequests: { what: 'Anmeldelinks', why: 'um Sie anzumelden' },
    sessions: {
      what: 'Anmeldungen: wann, wie und von welcher Art Gerät',
      why: 'damit Sie angemeldet bleiben und eine fremde Anmeldung finden',
    },
    challenges: { what: 'Fragen an Ihre Passkeys', why: 'um Sie anzumelden und damit Sie bestätigen können' },
    mailedLinks: {
      what: 'Links, die eine Änderung bestätigen oder rückgängig machen',
      why: 'eine Änderung Ihrer Adresse lässt sich rückgängig machen',
    },
    phoneCodes: { what: 'Codes, die ein Handy bestätigen', why: 'ein Handy gilt, sobald es bestätigt ist' },
    privacyRequests: {
      what: 'Ihre Anträge zum Datenschutz: Art, Zeit, Ergebnis und ob eine App sie stellte',
      why: 'sie belegen, dass Sie rechtzeitig Antwort bekamen',
    },
    privacyReplies: { what: 'Antworten auf Anträge, versiegelt', why: 'derselbe Antrag bekommt dieselbe Antwort' },
    doneJobs: { what: 'Erledigte Arbeit, ohne personenbezogene Daten', why: 'Betreiber sehen nach, was geschah' },
  },
  erase: {
    title: 'Ihre Daten löschen',
    description: 'Das lässt sich nicht zurücknehmen. Lesen Sie, was gelöscht wird und was bleibt.',
    back: 'Datenschutz',
    goes: 'Was gelöscht wird',
    goesAtOnce:
      'Ihre Agenten, Sitzungen und Passkeys enden sofort. Ihre Karten werden auch beim Zahlungsdienstleister gelöscht.',
    emptied: 'Was ohne Angaben zu Ihrer Person bleibt',
    stays: 'Was bleibt und warum',
    finish: 'Eine laufende Zahlung wird vorher beendet und bleibt zählbar.',
    field: {
      email: (address) => `Geben Sie Ihre Adresse ${address} ein, um fortzufahren`,
      name: (name) => `Geben Sie Ihren Namen ${name} ein, um fortzufahren`,
      id: (id) => `Geben Sie Ihre Konto-ID ${id} ein, um fortzufahren`,
    },
    wrong: 'Das ist nicht dasselbe.',
    button: 'Alles löschen',
    confirm:
      'Sie bestätigen mit einem Passkey oder dadurch, dass Sie sich gerade mit einem Link aus einer E-Mail angemeldet haben. Wenn hier eine E-Mail-Adresse von Ihnen gespeichert ist, bestätigt das eine letzte E-Mail.',
  },
  erased: {
    title: 'Ihre Daten sind gelöscht',
    body: 'Ihre Agenten, Anmeldungen und Karten sind beendet, und was Sie identifiziert, ist gelöscht.',
    stays:
      'Zahlungen, Mandate und das Protokoll des Geschehenen bleiben ohne Ihren Namen und Ihre Adresse, wie es das Gesetz verlangt.',
  },
}
