import type { Translated } from '@/components/i18n/texts'
import type { confirmText } from './confirm-messages'

export const confirmTextDe: Translated<typeof confirmText> = {
  title: (amount, payee) => `${amount} an ${payee} bestätigen`,
  back: 'Alle Freigaben',
  lead: 'Bitte bestätigen Sie bei Ihrer Bank',
  card: 'Zahlung mit',
  timeLeft: 'Verbleibende Zeit',
  onExpiry: 'Wenn Sie nichts tun, läuft die Zeit ab, und es wird nichts abgebucht.',
  decline: 'Ablehnen',
  bank: {
    confirm: 'Bei der Bank bestätigen',
    hint: 'Ihre Bank fragt Sie in einem Fenster, das Stripe öffnet. Dort brauchen Sie vielleicht einen Code, die App der Bank oder Ihren Fingerabdruck.',
    refused: 'Ihre Bank hat die Zahlung nicht bestätigt. Sie können es erneut versuchen oder ablehnen.',
    title: 'Nicht bestätigt',
    unavailable: 'Stripe konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und ob etwas js.stripe.com blockiert.',
    missing:
      'Der Betreiber hat den Zahlungsdienstleister noch nicht fertig eingerichtet. Deshalb können Sie diese Zahlung hier nicht bestätigen.',
  },
  testBank: {
    title: 'Testbank',
    hint: 'In der Sandbox fragt keine echte Bank. Antworten Sie an ihrer Stelle; es fließt kein Geld.',
    confirm: 'Bestätigen',
    refuse: 'Verweigern',
  },
  checking: {
    title: 'Warten auf Ihre Bank',
    body: 'Ihre Bank hat uns das Ergebnis noch nicht mitgeteilt. Es erscheint hier von selbst, und es kann nicht doppelt abgebucht werden.',
  },
  confirmed: {
    title: 'Bestätigt und bezahlt',
    body: (payee, amount) => `${payee} hat ${amount} abgebucht.`,
    payment: 'Zahlung ansehen',
  },
  failed: {
    title: 'Nicht bezahlt',
    body: 'Die Zahlung ist nicht zustande gekommen. Wurde Ihre Karte trotzdem belastet, bekommen Sie das Geld zurück. Bitten Sie den Agenten, es noch einmal zu versuchen, wenn Sie den Kauf weiterhin möchten.',
  },
}
