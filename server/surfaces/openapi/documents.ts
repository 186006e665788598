/** A file of docs/ that is shown as a page: its title, and what it explains. */
export interface Document {
  readonly title: string
  readonly about: string
}

/** The files of docs/ that are shown as pages, by their names. */
export const documents: Readonly<Record<string, Document>> = {
  oauth: {
    title: 'OAuth',
    about: 'how an agent registers, requests a payment, gets tokens and a mandate, with examples that run',
  },
  payments: {
    title: 'Payments',
    about: 'how a mandate is charged, limits, merchants, the sandbox with its test cards, Stripe, messages to people',
  },
  merchants: {
    title: 'Merchants',
    about: 'how a shop accepts payments of agents: a complete shop that verifies mandates',
  },
  agents: { title: 'Agents', about: 'how to build an agent: model hosts, frameworks, the client library' },
  tools: { title: 'Tools', about: 'the tools of the tool server: input, output, errors, examples' },
  credentials: {
    title: 'Credentials',
    about: 'how to issue credentials to wallet apps, and to request and verify them',
  },
  federation: {
    title: 'Federation',
    about: 'how to run a trust anchor, and how merchants and operators of agents join',
  },
  disputes: { title: 'Disputes', about: 'the file of evidence that proves one payment, and how to check it' },
  audit: { title: 'Audit chain', about: 'how to check the audit chain without trusting the server' },
  privacy: { title: 'Privacy', about: 'which data is kept, how long, and why' },
}
