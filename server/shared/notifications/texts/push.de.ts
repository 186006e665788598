import type { pushTexts } from './push'

export const pushTextsDe: typeof pushTexts = {
  purchase: (what, code) => ({ title: `${what}?`, body: `Vergleichscode ${code}. Zum Entscheiden öffnen.` }),
  limit: (what) => ({ title: `${what}?`, body: 'Das liegt über Ihren Limits. Zum Entscheiden öffnen.' }),
  bank: (what) => ({ title: `${what}?`, body: 'Ihre Bank bittet um Bestätigung. Zum Entscheiden öffnen.' }),
  access: (code) => ({ title: 'Ein Agent bittet um Zugriff', body: `Vergleichscode ${code}. Zum Entscheiden öffnen.` }),
  security: {
    title: 'Die Sicherheit Ihrer Wallet wurde geändert',
    body: 'Waren Sie das nicht? Zum Nachsehen öffnen.',
  },
  payments: { title: 'Es gibt Neues zu einer Zahlung', body: 'Zum Ansehen öffnen.' },
  near_limit: { title: 'Ein Limit ist fast oder ganz verbraucht', body: 'Zum Ansehen öffnen.' },
  disputes: { title: 'Es gibt Neues zu einer Reklamation', body: 'Zum Ansehen öffnen.' },
  test: { title: 'Testnachricht', body: 'Nachrichten kommen auf diesem Gerät an. Nichts wartet auf Sie.' },
  hidden: { title: 'Etwas wartet auf Sie', body: 'Zum Ansehen öffnen.' },
  to: (money, shop) => `${money} an ${shop}`,
}
