import type { Translated } from '@/components/i18n/texts'
import type { paymentsText } from './messages'

export const paymentsTextDe: Translated<typeof paymentsText> = {
  title: 'Zahlungen',
  description: 'Was Ihre Agenten bezahlt haben.',
  empty: {
    title: 'Noch keine Zahlungen',
    body: 'Wenn ein Agent bezahlt, was Sie freigegeben haben, steht es hier.',
    agents: 'Ihre Agenten ansehen',
  },
  noneMatch: { title: 'Keine passende Zahlung', body: 'Ändern Sie die Filter oder zeigen Sie alle Zahlungen an.' },
  tabs: { label: 'Zahlungen', list: 'Liste', spending: 'Ausgaben' },
  csv: {
    get: 'CSV herunterladen',
    hint: 'Die Zahlungen, die die Filter auswählen. Zeiten in UTC.',
    cut: 'Die Datei enthält die neuesten 100.000 davon. Grenzen Sie die Tage ein, um die übrigen zu bekommen.',
  },
  totals: 'Summen',
  total: (count) => (count === 1 ? '1 Zahlung' : `${count} Zahlungen`),
  older: 'Ältere',
  newest: 'Neueste',
  columns: { date: 'Datum', payee: 'Empfänger', agent: 'Agent', status: 'Status', amount: 'Betrag' },
}
