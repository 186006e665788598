import type { summaryTexts } from './summary'

export const summaryTextsDe: typeof summaryTexts = {
  subject: (date) => `Ihr Tag: ${date}`,
  since: (since, until) => `Was von ${since} bis ${until} geschehen ist:`,
  paid: (payments, money) => `Gezahlt: ${payments === 1 ? '1 Zahlung' : `${payments} Zahlungen`}, ${money}`,
  asked: (requests, money) => `Angefragt: ${requests === 1 ? '1 Anfrage' : `${requests} Anfragen`}, ${money}`,
  declined: (requests, money) => `Abgelehnt: ${requests === 1 ? '1 Anfrage' : `${requests} Anfragen`}, ${money}`,
  payments: (link) => `Zahlungen: ${link}`,
  approvals: (link) => `Freigaben: ${link}`,
  change: (link) => `Diese Zusammenfassung ändern oder ausschalten: ${link}`,
}
