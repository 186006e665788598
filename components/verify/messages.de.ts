import type { Translated } from '@/components/i18n/texts'
import type { verifyText } from './messages'

export const verifyTextDe: Translated<typeof verifyText> = {
  title: 'Beweise zu einer Zahlung prüfen',
  lead: 'Wählen Sie eine Beweisdatei. Sie wird in diesem Browser geprüft: Nichts wird übertragen, und ist die Seite einmal offen, geht es auch ohne Internet. Das Ergebnis erscheint auf Englisch.',
  file: 'Beweisdatei',
  fileHint: 'Eine JSON-Datei. Sie können sie auch hierher ziehen.',
  paste: 'Oder den Text einfügen',
  keys: 'Schlüssel, denen Sie vertrauen (optional)',
  keysHint:
    'Das JSON von /oauth/jwks.json des Servers, von ihm selbst geholt. Ohne sie gelten die Schlüssel in der Datei: Dann zeigt die Prüfung, dass die Datei in sich stimmt, aber nicht, von wem sie ist.',
  submit: 'Prüfen',
  verdict: {
    proven: 'Bewiesen',
    consistent: 'In sich stimmig, noch nicht vertrauenswürdig',
    incomplete: 'Nicht bewiesen',
    wrong: 'Falsch',
  },
  status: {
    wrong: 'Falsch',
    missing: 'Nicht bewiesen',
    proven: 'Bewiesen',
    stated: 'Sagt nur der Server',
  },
  unreadable: 'Das konnte nicht geprüft werden',
  tooLarge: 'Die Datei ist zu groß für eine Beweisdatei.',
  insecure: 'Dieser Browser prüft Signaturen nur auf Seiten, die über HTTPS geladen wurden.',
  command: 'Dieselbe Prüfung auf Ihrem Rechner: npx @countersign/verify evidence.json --jwks jwks.json',
}
