import type { Texts } from '@/components/i18n/texts'

/** The texts of the page of one payment. */
export const paymentText = {
  back: 'All payments',
  title: (amount: string, payee: string) => `${amount} to ${payee}`,
  to: 'to',
  timeline: 'What happened',
  steps: {
    asked: 'Asked',
    approved: 'Approved',
    paid: 'Charged',
    receipt: 'Receipt',
    disputed: 'A dispute was opened',
    dispute_won: 'The dispute was closed, the charge stands',
    dispute_lost: 'The dispute was closed, the money is returned',
  },
  via: { portal: 'on this portal', token: 'through a connected app', magic_link: 'by a mailed link' },
  method: {
    passkey: 'with passkey',
    wallet_presentation: 'with a credential in your wallet app',
    magic_link: 'on this portal, signed in by mail',
    demo: 'on this portal, in the demo session',
  },
  print: 'Print receipt',
  printed: {
    title: 'Receipt',
    moreItems: (count: number) => `and ${count} more`,
    proof: 'Proof of this payment',
    proofHint: (keys: string) => `The code holds the receipt that this service signed. Its public keys are at ${keys}.`,
  },
  items: 'Items',
  noItems: 'The agent named no items.',
  why: 'Why it was allowed',
  rule: {
    approved: 'You approved this purchase.',
    approved_over_limit: 'You allowed this purchase to go over a limit once.',
    remembered_merchant: 'You had approved a purchase of this agent at this merchant before.',
    within_limits: 'It was within your limits, and your rule asks only above them.',
  },
  /** Where an app decided with the access that it has. */
  ruleByApp: {
    approved: 'Approved through a connected app.',
    approved_over_limit: 'Approved through a connected app, once over a limit.',
  },
  seeApproval: 'See the approval',
  details: 'Details',
  agent: 'Agent',
  merchant: 'Merchant',
  card: 'Card',
  date: 'Date',
  id: 'Payment ID',
  revoked: 'revoked',
  verified: 'Verified merchant',
  unverified: 'Not verified',
  others: 'All payments to this merchant',
  proof: 'Proof',
  proofHint:
    'The receipt is signed by this service. Anybody can check it with the public keys, also without a connection to us.',
  mandate: 'Permission ID',
  audit: 'Audit entries',
  auditEntry: (seq: number) => `Entry ${seq}`,
  tree: {
    name: 'Proof of the audit entries',
    show: 'Prove these entries',
    hint: 'A proof shows that an entry is part of the signed audit chain, without showing any other entry.',
  },
  receipt: 'Signed receipt (JWS)',
  keys: 'Public keys (JWKS)',
  agreed: 'Agreed',
  charged: 'Charged',
  same: 'the same amount',
  differs: 'not the same amount',
  verify: 'Verify signature',
  verdict: {
    valid: {
      title: 'The signature is valid',
      body: 'The receipt is signed by this service and names this payment, its amount and its payee.',
    },
    invalid: { title: 'The signature is not valid', body: 'Do not rely on this receipt. Ask the operator.' },
    other_payment: {
      title: 'This receipt is for something else',
      body: 'It is signed by this service, but not for this payment. Ask the operator.',
    },
  },
  key: 'Key',
  evidence: {
    title: 'Evidence',
    hint: 'One file with everything that proves this payment: what you approved and how, the permission, the receipt and the audit entries, all signed. Your bank, the merchant or anybody else can check it without asking us.',
    get: 'Download evidence',
    check: 'Check a file of evidence',
  },
  help: {
    title: 'Something is wrong with this payment',
    intro: 'You have a few ways, from the quickest to the strongest:',
    merchant: (payee: string) =>
      `Ask ${payee} first: returns, wrong items and late deliveries are theirs to put right. Give them the payment ID.`,
    agent:
      'If the agent bought what you did not want, pause it: it cannot pay or ask until you resume it. If you revoke it, all that it may do ends at once.',
    bank: 'If the merchant does not help, or you never approved this, call the bank that issued your card and dispute the charge. It decides; we are told and show here how it stands.',
    proof: 'Download the evidence below and give it to your bank: it shows what was agreed, when, and with whom.',
    seeAgent: 'Open the agent',
    open: 'The dispute is open. Your bank and the merchant are settling it; you need not do anything here.',
    won: 'The dispute was closed in favour of the merchant. If you disagree, ask your bank whether it can be reopened.',
    lost: 'The dispute was closed in your favour, and the money goes back to your card.',
  },
} as const

export const paymentTexts: Texts<typeof paymentText> = {
  en: paymentText,
  de: () => import('./payment-messages.de').then((german) => german.paymentTextDe),
}
