import type { Retention } from './retention-entry'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * The kinds of data, how long they are kept and why: the one source of the sweeps' periods, of docs/privacy.md, of the
 * portal's page on privacy and of `npm run admin -- retention`. Each table of the database is in one entry.
 */
export const retention = {
  payments: {
    what: 'Payments, settlements, refunds, and the events of the card processor about them',
    tables: ['payments', 'payment_counters', 'settlements', 'refunds', 'webhook_events'],
    kept: 'while_the_service_runs',
    why: 'accounting duties; a repeated settlement gets its first answer',
    ground: 'c',
  },
  mandates: {
    what: 'Mandates, and the list of those that were revoked',
    tables: ['mandates', 'status_lists', 'credential_places'],
    kept: 'while_the_service_runs',
    why: 'proof of what was allowed; erasure takes the agreed items away',
    ground: 'f',
  },
  approvals: {
    what: 'Approvals, how they were confirmed, and requests to exceed a limit',
    tables: ['consents', 'approval_evidence', 'limit_bumps'],
    kept: 'while_the_service_runs',
    why: 'proof that the person approved exactly this; erasure takes the words away',
    ground: 'f',
  },
  audit: {
    what: 'Audit entries and checkpoints, which hold no personal data',
    tables: ['audit_entries', 'audit_heads', 'audit_checkpoints', 'audit_nodes'],
    kept: 'while_the_service_runs',
    why: 'a chain with holes proves nothing',
    ground: 'f',
  },
  spending: {
    what: 'What was spent each day, as numbers',
    tables: ['spend_counters', 'agent_spend_counters'],
    kept: 'while_the_service_runs',
    why: 'limits; a payment that is still open counts when it is known',
    ground: 'b',
  },
  profile: {
    what: 'E-mail address and name',
    tables: ['principals'],
    kept: 'until_erased',
    why: 'to know the person and to tell them what happens',
    ground: 'b',
  },
  wallet: {
    what: 'Cards, agents, setup tokens, limits and their changes, merchant rules, remembered approvals',
    tables: [
      'card_mandates',
      'clients',
      'setup_tokens',
      'wallet_limits',
      'agent_limits',
      'limit_changes',
      'principal_merchant_rules',
      'merchant_gates',
      'merchant_rules',
      'remembered_approvals',
    ],
    kept: 'until_erased',
    why: 'what the person set up, so that agents pay as they want',
    ground: 'b',
  },
  ageProofs: {
    what: 'That a person has proven an age, who says so and until when: no date of birth and nothing else',
    tables: ['age_proofs'],
    kept: 30 * DAY,
    after: { column: 'expires_at', words: 'they ended; the person can remove one at any time' },
    why: 'agents buy where buyers must have reached an age',
    ground: 'b',
  },
  contacts: {
    what: 'How, when and of what a person wants to be told, with their phone and the browsers that get messages',
    tables: ['notification_preferences', 'notification_events', 'message_settings', 'push_subscriptions'],
    kept: 'until_erased',
    why: 'to tell the person what happens where they want to hear it',
    ground: 'b',
  },
  credentials: {
    what: 'Passkeys (public keys only) and recovery codes (hashes only)',
    tables: ['passkeys', 'recovery_codes'],
    kept: 'until_erased',
    why: 'signing in and confirming',
    ground: 'b',
  },
  tokenFamilies: {
    what: 'Token families and refresh tokens',
    tables: ['token_families', 'refresh_tokens'],
    kept: 30 * DAY,
    after: {
      column: 'least(expires_at, revoked_at)',
      words: 'they expired or were revoked; longer while a settlement under them is open',
    },
    why: 'a late replay is recognized',
    ground: 'f',
  },
  messages: {
    what: 'Messages, sealed',
    tables: ['messages'],
    kept: 90 * DAY,
    after: { column: 'created_at', words: 'they were written' },
    why: 'questions about a message that did or did not arrive',
    ground: 'f',
  },
  pushedRequests: {
    what: 'Pushed requests',
    tables: ['pushed_requests'],
    kept: DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a late replay is recognized',
    ground: 'b',
  },
  codes: {
    what: 'Authorization codes',
    tables: ['authorization_codes'],
    kept: DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a late replay is recognized, and ends what the code led to',
    ground: 'f',
  },
  credentialOffers: {
    what: 'Offers of credentials; the claims in them go when the credential is issued',
    tables: ['credential_offers'],
    kept: DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a late replay is recognized',
    ground: 'b',
  },
  issuedCredentials: {
    what: 'Which credentials were issued, without their claims',
    tables: ['issued_credentials'],
    kept: 30 * DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'they can be revoked, and it is known which were',
    ground: 'f',
  },
  magicLinks: {
    what: 'Mailed links that confirm a request of an agent',
    tables: ['magic_links'],
    kept: DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a late replay is recognized',
    ground: 'f',
  },
  presentationRequests: {
    what: 'Requests to present a credential, and what was presented, sealed',
    tables: ['presentation_requests'],
    kept: DAY,
    after: { column: 'coalesce(ended_at, expires_at)', words: 'they were answered or expired' },
    why: 'the server that asked fetches the result',
    ground: 'f',
  },
  tokenReplies: {
    what: 'Answers of the token endpoint under an Idempotency-Key, sealed',
    tables: ['idempotent_replies'],
    kept: 0,
    after: { column: 'expires_at', words: 'the access token in them expired' },
    why: 'the same request gets the same answer',
    ground: 'b',
  },
  replayKeys: {
    what: 'Used identifiers and nonces of proofs and assertions',
    tables: ['replay_keys', 'credential_nonces'],
    // The most by which the clocks of two processes differ: each starts within a minute of the database's.
    kept: 2 * MINUTE,
    after: { column: 'expires_at', words: 'the proof or assertion expired' },
    why: 'each is taken once, also where the clocks of processes differ',
    ground: 'f',
  },
  signInRequests: {
    what: 'Sign-in requests, with the address sealed until the link is mailed',
    tables: ['sign_in_requests'],
    kept: 0,
    after: { column: 'expires_at', words: 'their link expired' },
    why: 'signing in',
    ground: 'b',
  },
  sessions: {
    what: 'Portal sessions: when, by which means and from which kind of device',
    tables: ['portal_sessions'],
    kept: 30 * DAY,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'signing in, and that the person finds a sign-in that was not theirs',
    ground: 'f',
  },
  challenges: {
    what: 'Passkey challenges',
    tables: ['webauthn_challenges'],
    kept: 0,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'signing in and confirming',
    ground: 'b',
  },
  mailedLinks: {
    what: 'Mailed links that confirm or undo a change of how a person is reached',
    tables: ['mailed_links'],
    kept: 0,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'the change counts once it is confirmed, and can be undone',
    ground: 'b',
  },
  phoneCodes: {
    what: 'Phone codes, as hashes, with the phone that they confirm',
    tables: ['phone_codes'],
    kept: 0,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a phone counts once it is confirmed',
    ground: 'b',
  },
  privacyRequests: {
    what: 'Privacy requests: kind, time, result, and whether made with a token',
    tables: ['privacy_requests'],
    kept: 'while_the_service_runs',
    why: 'proof that the request was answered in time',
    ground: 'c',
  },
  privacyReplies: {
    what: 'Answers to privacy requests under an Idempotency-Key, sealed',
    tables: ['privacy_replies'],
    kept: 0,
    after: { column: 'expires_at', words: 'the key ran out: a day for access, an hour for portability' },
    why: 'the same request gets the same answer',
    ground: 'c',
  },
  doneJobs: {
    what: 'Jobs that are done; those that were given up stay until they are retried. They hold no personal data',
    tables: ['jobs'],
    kept: 7 * DAY,
    after: { column: "CASE state WHEN 'done' THEN finished_at END", words: 'they were done' },
    why: 'operators look back at what happened',
    ground: 'f',
  },
  quotas: {
    what: 'Counters of requests, under hashes',
    tables: ['rate_limits'],
    kept: 'while_the_service_runs',
    why: 'nobody uses up what others need; a counter ends with its window, of a day at most',
    ground: 'f',
  },
  sandboxReplies: {
    what: 'Answers of the sandbox’s card processor under an Idempotency-Key',
    tables: ['sandbox_processor_replies'],
    kept: DAY,
    after: { column: 'created_at', words: 'they were given' },
    why: 'the same request gets the same answer',
    ground: 'f',
  },
  sandboxNonces: {
    what: 'Nonces of the sandbox’s merchants',
    tables: ['sandbox_merchant_nonces'],
    kept: 0,
    after: { column: 'expires_at', words: 'they expired' },
    why: 'a presentation is taken once',
    ground: 'f',
  },
  sandbox: {
    what: 'What the sandbox’s merchants and card processor keep: orders, charges and test cards',
    tables: [
      'sandbox_merchant_keys',
      'sandbox_orders',
      'sandbox_processor_cards',
      'sandbox_processor_charges',
      'sandbox_processor_customers',
      'sandbox_processor_disputes',
      'sandbox_processor_events',
      'sandbox_processor_intents',
      'sandbox_processor_refunds',
    ],
    kept: 'while_the_service_runs',
    why: 'trying things out; there are no such parties outside the sandbox',
    ground: 'f',
  },
  installation: {
    what: 'The installation’s own: keys, switches, merchants, trusted issuers, the federation and its trust marks, applied migrations',
    tables: [
      'signing_keys',
      'relying_party',
      'push_key',
      'switch_overrides',
      'merchants',
      'trust_lists',
      'enrolments',
      'federation_subordinates',
      'federation_trust_marks',
      '_prisma_migrations',
    ],
    kept: 'while_the_service_runs',
    why: 'the service runs on them; they are about nobody who pays',
    ground: 'f',
  },
} as const satisfies Readonly<Record<string, Retention>>

export type RetentionKind = keyof typeof retention

/** The kinds of data that a sweep deletes a fixed time after an instant. */
export type SweptKind = {
  [K in RetentionKind]: (typeof retention)[K]['kept'] extends number ? K : never
}[RetentionKind]

/** Returns the instant before which the time of a row must lie for a sweep to delete it. */
export function sweptBefore(kind: SweptKind, now: Date): Date {
  return new Date(now.getTime() - retention[kind].kept * 1000)
}
