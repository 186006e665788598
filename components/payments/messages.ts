import type { Texts } from '@/components/i18n/texts'

export const paymentsText = {
  title: 'Payments',
  description: 'What your agents have paid.',
  empty: {
    title: 'No payments yet',
    body: 'When an agent pays for something you approved, it is listed here.',
    agents: 'See your agents',
  },
  noneMatch: { title: 'No payment matches', body: 'Change the filters, or show all payments.' },
  tabs: { label: 'Payments', list: 'List', spending: 'Spending' },
  csv: {
    get: 'Download CSV',
    hint: 'The payments that the filters select. Times are in UTC.',
    cut: 'The file holds the newest 100,000 of them. Narrow the dates to get the others.',
  },
  totals: 'Totals',
  total: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  older: 'Older',
  newest: 'Newest',
  columns: { date: 'Date', payee: 'Paid to', agent: 'Agent', status: 'Status', amount: 'Amount' },
} as const

export const paymentsTexts: Texts<typeof paymentsText> = {
  en: paymentsText,
  de: () => import('./messages.de').then((german) => german.paymentsTextDe),
}
