import type { accountTexts } from './account'

export const accountTextsDe: typeof accountTexts = {
  signIn: {
    subject: 'Bei Countersign anmelden',
    text: (link) =>
      `Öffnen Sie diesen Link, um sich anzumelden. Er funktioniert einmal, 15 Minuten lang: ${link}\n\nIn einem anderen Browser als dem, in dem Sie ihn angefordert haben, fragt er auch nach dem Code, der dort angezeigt wird. Geben Sie diesen Code niemandem.\n\nWenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Von selbst meldet sie niemanden an.`,
  },
  data: {
    subject: 'Die Daten, um die Sie gebeten haben',
    text: 'Die angehängte Datei enthält, was über Sie gespeichert ist, wie Sie es verlangt haben. Behalten Sie sie für sich. Wenn Sie nicht darum gebeten haben, melden Sie sich an und sehen Sie nach, welche Agenten Zugriff auf Ihre Wallet haben.',
  },
  erased: {
    subject: 'Ihre Wallet wurde gelöscht',
    text: 'Ihre Wallet wurde gelöscht, wie Sie es verlangt haben: Was Sie identifiziert, ist gelöscht, Ihre Agenten und Anmeldungen sind beendet, und Ihre Karten sind auch beim Zahlungsdienstleister gelöscht. Zahlungen, Mandate und das Protokoll des Geschehenen bleiben ohne Ihren Namen und Ihre Adresse, wie das Gesetz es verlangt und als Beweis. Eine laufende Zahlung wird abgeschlossen.\n\nDas ist die letzte Nachricht an diese Adresse, und ihre Kopie hier wird gelöscht, sobald sie verschickt ist.',
  },
}
