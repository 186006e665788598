import type { Translated } from '@/components/i18n/texts'
import type { walletText } from './wallet-messages'

export const walletTextDe: Translated<typeof walletText> = {
  choose: 'Wallet-App verwenden',
  title: (amount) => `${amount} in Ihrer Wallet-App freigeben`,
  scan: 'Scannen Sie dies mit der Wallet-App, die Sie hinzugefügt haben.',
  code: 'QR-Code für Ihre Wallet-App',
  compare: 'Sie zeigt den Händler, den Betrag und die Artikel. Bestätigen Sie nur, was Sie hier sehen.',
  open: 'Wallet-App öffnen',
  timeLeft: 'Verbleibende Zeit',
  waiting: 'Es wird auf Ihre Wallet-App gewartet',
  approved: 'Von Ihrer Wallet-App freigegeben',
  again: 'Noch einmal versuchen',
  expired: { title: 'Der Code ist abgelaufen', body: 'Es wurde nichts entschieden.' },
  changed: {
    title: 'Es wurde nichts entschieden',
    body: 'Die Anfrage hat sich geändert oder wurde anderswo beantwortet. Schließen Sie dies und sehen Sie sie sich noch einmal an.',
  },
  refused: {
    title: 'Ihre Wallet-App hat es nicht freigegeben',
    body: 'Sie hat abgelehnt oder etwas anderes vorgelegt als den Nachweis, den Sie hinzugefügt haben. Es wurde nichts entschieden.',
  },
}
