import type { Translated } from '@/components/i18n/texts'
import type { stepUpText } from './step-up-messages'

export const stepUpTextDe: Translated<typeof stepUpText> = {
  failure: {
    cancelled:
      'Es wurde nichts geändert. Die Passkey-Abfrage wurde geschlossen, bevor Sie bestätigt haben, oder sie ist abgelaufen.',
    unsupported:
      'Dieser Browser kann hier keine Passkeys verwenden. Öffnen Sie das Portal auf einem Gerät mit einem Ihrer Passkeys.',
    failed: 'Ihr Passkey konnte nicht abgefragt werden. Versuchen Sie es noch einmal.',
    sign_in:
      'Melden Sie sich zur Bestätigung neu an. Sie werden zur Anmeldung geleitet und kommen danach hierher zurück.',
  },
  hint: {
    title: 'Geben Sie mit Fingerabdruck, Gesicht oder PIN frei',
    body: 'Mit einem Passkey bestätigen Sie im Handumdrehen statt per E-Mail.',
    action: 'Passkey hinzufügen',
  },
}
