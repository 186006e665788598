import type { Translated } from '@/components/i18n/texts'
import type { signInText } from './messages'

export const signInTextDe: Translated<typeof signInText> = {
  title: 'Anmelden',
  lead: 'Geben Sie frei, was Ihre Agenten kaufen, und legen Sie fest, wie viel sie ausgeben dürfen.',
  ended: {
    idle: (minutes) => `Sie wurden abgemeldet, weil diese Seite ${minutes} Minuten lang nicht benutzt wurde.`,
    window: 'Sie haben sich in einem anderen Fenster abgemeldet.',
    everywhere: 'Sie haben sich überall abgemeldet.',
    security: 'Ihre Sitzung wurde zur Sicherheit beendet.',
    goOn: 'Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
  },
  again: {
    title: 'Neu anmelden',
    lead: 'Zur Bestätigung müssen Sie sich neu anmelden. Danach kommen Sie auf diese Seite zurück.',
    back: 'Ohne Anmeldung zurück',
  },
  passkey: {
    button: 'Weiter mit Passkey',
    or: 'oder per E-Mail',
    refused:
      'Dieser Passkey meldet hier niemanden an. Versuchen Sie einen anderen oder nehmen Sie einen Link per E-Mail.',
    cancelled:
      'Die Passkey-Abfrage wurde geschlossen oder ist abgelaufen. Versuchen Sie es noch einmal oder nehmen Sie einen Link per E-Mail.',
    unsupported: 'Dieser Browser kann hier keine Passkeys verwenden. Nehmen Sie einen Link per E-Mail.',
    failed:
      'Der Passkey konnte nicht abgefragt werden. Versuchen Sie es noch einmal oder nehmen Sie einen Link per E-Mail.',
  },
  failure: {
    offline: 'Der Server ist nicht erreichbar. Versuchen Sie es noch einmal.',
    unknown: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
    rate_limited: 'Das wurde zu oft versucht. Versuchen Sie es in einigen Minuten noch einmal.',
    forbidden: 'Die Seite war zu lange offen. Laden Sie sie neu und versuchen Sie es noch einmal.',
    invalid_token: 'Dieser Anmeldelink wurde schon verwendet oder ist zu alt. Fordern Sie einen neuen an.',
    no_demo: 'In der Sandbox gibt es keine Demo-Person mehr. Nehmen Sie einen Link per E-Mail.',
  },
  email: 'E-Mail-Adresse',
  submit: 'Anmeldelink senden',
  badEmail: 'Geben Sie eine E-Mail-Adresse wie ada@example.com ein.',
  sent: {
    title: 'Sehen Sie in Ihr Postfach',
    body: (email) => `Wenn es zu ${email} ein Konto gibt, ist ein Link unterwegs. Er gilt einmal, 15 Minuten lang.`,
    code: 'Code für einen anderen Browser',
    codeHint:
      'Öffnen Sie den Link in einem anderen Browser oder auf einem anderen Gerät, wird dort nach diesem Code gefragt. Sagen Sie ihn niemandem.',
    other: 'Andere Adresse verwenden',
  },
  demo: {
    or: 'Sandbox',
    button: 'Weiter als Ada (Demo)',
    hint: 'Die Sandbox verschickt keine E-Mails. Sie liegen im',
    outbox: 'Postausgang der Sandbox',
  },
  confirm: {
    title: 'Bei Countersign anmelden?',
    body: 'Fahren Sie nur fort, wenn Sie diesen Link gerade selbst angefordert haben.',
    whose: (email) => `Er öffnet die Wallet von ${email} in diesem Browser.`,
    submit: 'Ja, anmelden',
    elsewhere: {
      title: 'Sie haben diesen Link in einem anderen Browser angefordert',
      body: 'Geben Sie den Code ein, den die Anmeldeseite dort zeigt. Wenn Sie den Link nicht angefordert haben, schließen Sie diese Seite: Dann geschieht nichts.',
      code: 'Code',
      bad: 'Geben Sie die sechs Ziffern ein, die dort stehen.',
      wrong: 'Das ist nicht der Code, der dort steht. Nach fünf Versuchen gilt der Link nicht mehr.',
    },
    used: {
      title: 'Dieser Link gilt nicht mehr',
      body: 'Er wurde schon verwendet oder ist zu alt. Jeder Link gilt einmal, 15 Minuten lang.',
    },
    missing: {
      title: 'Dieser Link ist unvollständig',
      body: 'Öffnen Sie ihn noch einmal aus der E-Mail oder fordern Sie einen neuen an.',
    },
    again: 'Neuen Link anfordern',
  },
}
