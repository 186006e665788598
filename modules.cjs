/**
 * The modules of server/, laid into areas: the one source of the boundary rules in .dependency-cruiser.cjs, of the table in
 * docs/ARCHITECTURE.md and of test/repository/architecture.test.ts.
 *
 * An area sees the areas that stand before it in this list. Inside its own area a module imports only what is listed
 * behind its name. What it imports of another module comes through that module's index.ts, contract.ts or input.ts; the
 * modules of `base` and `transport` have no front door.
 */
const areas = {
  base: { core: [], contract: ['core'], protocol: ['core'], platform: ['core', 'protocol'] },
  shared: {
    principals: [],
    audit: ['principals'],
    queue: [],
    'mailed-links': [],
    notifications: ['queue'],
    'request-log': [],
  },
  identity: { passkeys: [], sessions: ['passkeys'], contacts: ['passkeys', 'sessions'] },
  wallet: {
    enrolments: [],
    merchants: ['enrolments'],
    'age-proofs': [],
    limits: [],
    'merchant-rules': ['merchants'],
    cards: [],
    approvals: ['cards', 'limits', 'merchants'],
  },
  oauth: {
    clients: [],
    mandates: [],
    'credential-offers': [],
    authorization: ['clients', 'mandates'],
    tokens: ['authorization', 'clients', 'credential-offers', 'mandates'],
    metadata: ['credential-offers'],
  },
  credentials: {
    'trust-lists': [],
    issuance: [],
    presentations: ['issuance', 'trust-lists'],
    federation: ['issuance'],
  },
  money: { payments: [], settlement: ['payments'], webhooks: ['payments', 'settlement'] },
  surfaces: {
    agents: [],
    privacy: ['agents'],
    evidence: [],
    sandbox: [],
    operator: [],
    seed: ['operator', 'sandbox'],
    health: [],
    metrics: [],
    openapi: [],
    portal: ['agents', 'sandbox'],
  },
  transport: { http: [], trpc: [] },
}

/**
 * Which module owns which table. Only its owner names a table in a statement; everybody else calls the owner's functions,
 * splices in a fragment that it exports, or reads its views. test/repository/table-owners.test.ts holds this.
 */
const tables = {
  platform: [
    '_prisma_migrations',
    'rate_limits',
    'sandbox_processor_cards',
    'sandbox_processor_charges',
    'sandbox_processor_customers',
    'sandbox_processor_disputes',
    'sandbox_processor_events',
    'sandbox_processor_intents',
    'sandbox_processor_refunds',
    'sandbox_processor_replies',
    'signing_keys',
    'switch_overrides',
  ],
  principals: ['principals'],
  audit: ['audit_checkpoints', 'audit_entries', 'audit_heads', 'audit_nodes'],
  'mailed-links': ['mailed_links'],
  notifications: [
    'message_settings',
    'messages',
    'notification_events',
    'notification_preferences',
    'push_key',
    'push_subscriptions',
  ],
  queue: ['jobs'],
  passkeys: ['passkeys', 'recovery_codes', 'webauthn_challenges'],
  sessions: ['portal_sessions', 'sign_in_requests'],
  contacts: ['phone_codes'],
  enrolments: ['enrolments'],
  merchants: ['merchants'],
  'age-proofs': ['age_proofs'],
  limits: ['agent_limits', 'agent_spend_counters', 'limit_bumps', 'limit_changes', 'spend_counters', 'wallet_limits'],
  'merchant-rules': ['merchant_gates', 'merchant_rules', 'principal_merchant_rules'],
  approvals: ['approval_evidence', 'consents', 'remembered_approvals'],
  cards: ['card_mandates'],
  clients: ['clients', 'replay_keys', 'setup_tokens'],
  authorization: ['authorization_codes', 'magic_links', 'pushed_requests'],
  mandates: ['credential_places', 'mandates', 'status_lists'],
  'credential-offers': ['credential_nonces', 'credential_offers'],
  'trust-lists': ['trust_lists'],
  presentations: ['presentation_requests', 'relying_party'],
  tokens: ['idempotent_replies', 'refresh_tokens', 'token_families'],
  issuance: ['issued_credentials'],
  federation: ['federation_subordinates', 'federation_trust_marks'],
  payments: ['payments', 'payment_counters'],
  settlement: ['refunds', 'settlements'],
  webhooks: ['webhook_events'],
  privacy: ['privacy_replies', 'privacy_requests'],
  sandbox: ['sandbox_merchant_keys', 'sandbox_merchant_nonces', 'sandbox_orders'],
}

/** The views of each owner, which everybody may read. */
const views = {
  principals: ['active_principals', 'principal_profiles'],
  enrolments: ['verified_enrolments'],
  sessions: ['ended_sessions'],
  merchants: ['merchant_profiles'],
  'age-proofs': ['proven_ages'],
  limits: ['limit_requests', 'time_zones'],
  approvals: ['approval_outcomes', 'remembered_merchants'],
  cards: ['chargeable_cards'],
  clients: ['active_clients', 'agents'],
  mandates: ['active_mandates', 'mandate_terms'],
  tokens: ['active_token_families', 'agreed_items'],
  issuance: ['approving_credentials'],
  payments: ['completed_payments'],
  settlement: ['charged_cards', 'counted_settlements', 'open_settlements'],
}

/** Files of server/ itself: they put the parts together, and only entry points, scripts and tests import them. */
const roots = ['boot', 'operations', 'jobs', 'reseal', 'sweep']

/** Every module with the path of its folder below server/ and the modules that it may import. */
const modules = Object.entries(areas).flatMap(([area, members], index) => {
  const above = Object.values(areas)
    .slice(0, index)
    .flatMap((other) => Object.keys(other))
  return Object.entries(members).map(([name, siblings]) => ({
    name,
    area,
    path: `${area}/${name}`,
    siblings,
    mayImport: [...above, ...siblings],
  }))
})

module.exports = { areas, modules, roots, tables, views }
