/**
 * Which server module may import which others: the one source of the boundary rules in .dependency-cruiser.cjs, of the
 * table in docs/ARCHITECTURE.md and of test/architecture.test.ts. A slice may also import every base module; what it
 * imports of another slice comes through that slice's index.ts or contract.ts.
 */
const base = {
  core: [],
  contract: ['core'],
  protocol: ['core'],
  platform: ['core', 'protocol'],
}

const slices = {
  health: [],
  metadata: [],
  openapi: [],
  principals: [],
  audit: [],
  'request-log': [],
  queue: [],
  'status-list': [],
  clients: ['limits', 'principals'],
  notifications: [],
  limits: ['passkeys', 'principals'],
  consent: ['audit', 'limits', 'notifications', 'passkeys', 'principals'],
  par: ['clients', 'consent', 'limits', 'policy'],
  authorization: ['notifications'],
  mandates: ['status-list'],
  tokens: ['par', 'clients', 'mandates', 'principals', 'audit'],
  passkeys: ['notifications', 'principals', 'queue'],
  agents: ['consent', 'passkeys', 'principals', 'tokens'],
  policy: ['passkeys', 'principals'],
  cards: ['principals', 'audit', 'queue'],
  payments: ['audit', 'notifications'],
  settlement: ['mandates', 'payments', 'consent', 'limits', 'policy', 'notifications', 'audit', 'queue', 'principals'],
  webhooks: ['cards', 'payments', 'settlement'],
  sandbox: ['mandates', 'notifications', 'settlement'],
  operator: ['cards', 'clients', 'limits', 'passkeys', 'principals', 'queue', 'sessions', 'tokens'],
  sessions: ['notifications', 'passkeys', 'principals', 'queue'],
  portal: [
    'agents',
    'audit',
    'cards',
    'clients',
    'consent',
    'limits',
    'notifications',
    'passkeys',
    'payments',
    'policy',
    'principals',
    'queue',
    'request-log',
    'sandbox',
    'sessions',
    'settlement',
  ],
  seed: ['cards', 'clients', 'limits', 'operator', 'principals', 'sandbox'],
}

const transport = {
  http: ['clients', 'request-log', 'tokens'],
  trpc: Object.keys(slices).filter((name) => name !== 'seed'),
}

/** Files of server/ itself: they put the parts together, and only entry points, scripts and tests import them. */
const roots = ['boot', 'operations', 'jobs', 'sweep']

module.exports = { base, slices, transport, roots }
