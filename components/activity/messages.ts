import type { Texts } from '@/components/i18n/texts'

export const activityText = {
  title: 'Activity',
  description: 'Everything that was recorded about you, in a chain of entries that nobody can change unnoticed.',
  empty: {
    title: 'Nothing recorded yet',
    body: 'What your agents pay, what you approve and which access ends is recorded here.',
  },
  noneMatch: { title: 'No entry matches', body: 'Change the filters, or show everything.' },
  filters: {
    title: 'Filter activity',
    event: 'What happened',
    agent: 'Agent',
    any: 'Any',
    apply: 'Apply filters',
    clear: 'Show all',
  },
  older: 'Older',
  newest: 'Newest',
  json: {
    get: 'Download JSON',
    hint: 'The entries that the filters select, whole, with the signed head of the chain.',
  },
  /** By the chain's names. */
  events: {
    'oid4ac.mandate.issued': 'Card saved',
    'oid4ac.approval.recorded': 'Approval recorded',
    'oid4ac.payment.succeeded': 'Payment made',
    'oid4ac.payment.failed': 'Payment failed',
    'oid4ac.payment.disputed': 'Dispute',
    'oid4ac.token.revoked': 'Access ended',
    'oid4ac.privacy.access': 'Data was shown',
    'oid4ac.privacy.erasure': 'Data was erased',
    'oid4ac.privacy.rectification': 'Data was corrected',
    'oid4ac.privacy.portability': 'Data was handed over',
    'oid4ac.privacy.restriction': 'Processing was restricted',
    'oid4ac.privacy.objection': 'An objection was noted',
  } as Readonly<Record<string, string>>,
  sentence: {
    paid: (amount: string, payee: string) => `Paid ${amount} to ${payee}`,
    failed: (amount: string, payee: string) => `${amount} to ${payee} was not paid`,
    disputed: (amount: string, payee: string) => `Dispute about ${amount} to ${payee}`,
  },
  /** The chain's words for why and how. */
  details: {
    pending: 'opened at the bank',
    won: 'closed, the charge stands',
    lost: 'closed, the money goes back',
    passkey: 'with a passkey',
    magic_link: 'signed in by mail',
    demo: 'in the demo session',
    agent_revoked: 'you revoked the agent',
    access_ended: 'you took the access back',
    revocation_request: 'the agent gave it back',
    authorization_code_replay: 'a code was used twice',
    refresh_token_reuse: 'a token was used twice',
    authentication_required: 'the bank wanted you, and got no answer',
    authorization_withdrawn: 'the permission was withdrawn before',
    card_declined: 'the card was declined',
    expired_card: 'the card has expired',
    insufficient_funds: 'the card has insufficient funds',
    processor_unavailable: 'the card processor could not be reached',
  } as Readonly<Record<string, string>>,
  actors: {
    agent: 'by an agent',
    wallet_client: 'by an app',
    principal: 'by you',
    processor: 'by the card processor',
    operator: 'by the operator',
    service: 'by this service',
  } as Readonly<Record<string, string>>,
  entry: {
    seq: (seq: number) => `Entry ${seq}`,
    whole: 'The whole entry',
    hash: 'Hash',
    previous: 'Hash of the entry before',
    payment: 'Open the payment',
    broken: 'Does not verify',
  },
  proof: {
    verified: 'Verified',
    broken: 'Does not verify',
    nothing: 'Nothing to verify',
    entries: (count: number) =>
      count === 1 ? '1 entry, its hash matches and its links hold.' : `${count} entries, hashes match and links hold.`,
    some: 'At least one entry on this page or on the way to the signed head was changed. Tell the operator.',
    intact: (seq: number) => `The chain is unbroken from the oldest of them to entry ${seq}, the signed head.`,
    tooLong: (seq: number) =>
      `The signed head is entry ${seq}. Too many entries lie between for one page; all of them are checked before a head is signed.`,
    unsigned: 'The newest entries are not under a signed head yet; one is signed every hour.',
    noHead: 'No head has been signed yet.',
    signed: 'The head was signed:',
    badSignature: 'The signature of the head is not valid.',
    how: 'What was checked',
    explanation:
      'Each entry holds a hash over its own content and the hash of the entry before, so a changed, missing or moved entry breaks the chain. Every hour the last hash is signed. The server computed the hashes anew for this page; entries about other people are only looked at as hashes. To check without trusting this server, download the JSON and use the public keys.',
    keys: 'Public keys',
  },
} as const

export const activityTexts: Texts<typeof activityText> = {
  en: activityText,
  de: () => import('./messages.de').then((german) => german.activityTextDe),
}
