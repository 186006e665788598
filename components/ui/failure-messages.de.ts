import type { Translated } from '@/components/i18n/texts'
import type { failureText } from './failure-messages'

const unknown = 'Auf unserer Seite ist ein Fehler aufgetreten.'

export const failureTextDe: Translated<typeof failureText> = {
  title: 'Das hat nicht funktioniert. Es wurde nichts geändert.',
  lost: 'Wir haben keine Antwort bekommen. Vielleicht hat es trotzdem geklappt: Laden Sie die Seite neu und sehen Sie nach.',
  page: { title: 'Diese Seite konnte nicht geladen werden', body: 'Versuchen Sie es gleich noch einmal.' },
  offline: 'Sie sind offline. Es wurde nichts geändert.',
  unreachable: 'Wir konnten den Server nicht erreichen. Prüfen Sie Ihre Verbindung.',
  unknown,
  retry: 'Erneut versuchen',
  signedOut: 'Sie sind abgemeldet. Was Sie eingegeben haben, ist noch da.',
  signIn: 'Anmelden',
  details: 'Details',
  requestId: 'Vorgangs-ID',
  errorId: 'Fehler-ID',
  refusals: {
    access_denied: 'Das ist für Ihr Konto zurzeit nicht möglich.',
    bad_gateway:
      'Der Zahlungsdienstleister hat abgelehnt oder ist zurzeit nicht erreichbar. Versuchen Sie es später noch einmal.',
    body_too_large: 'Die Eingabe ist zu lang.',
    conflict: 'Das geht so nicht oder nicht mehr. Laden Sie die Seite neu und sehen Sie nach, was jetzt gilt.',
    forbidden: 'Das ist nicht erlaubt. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    invalid_request: 'Die Eingabe ist nicht gültig. Prüfen Sie Ihre Angaben.',
    invalid_scope: 'Diese Berechtigung gibt es hier nicht.',
    method_not_allowed: unknown,
    unsupported_media_type: unknown,
    invalid_token: 'Ihre Anmeldung oder der Link gilt nicht mehr. Melden Sie sich neu an.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    payment_declined: 'Die Zahlung wurde abgelehnt.',
    rate_limited: 'Das waren zu viele Versuche. Warten Sie kurz und versuchen Sie es dann noch einmal.',
    region_unsupported: 'Dafür wird hier zurzeit keiner Wallet-App vertraut.',
    request_object_invalid: 'Der Betreiber kann Wallet-Apps zurzeit nicht fragen.',
    request_timeout: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
    server_error: unknown,
    service_unavailable: 'Diese Funktion ist abgeschaltet oder zurzeit nicht verfügbar.',
    step_up_required: 'Bestätigen Sie das mit Ihrem Passkey oder melden Sie sich neu an.',
  },
}
