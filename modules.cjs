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
  queue: [],
  'status-list': [],
  clients: ['principals'],
  notifications: [],
  limits: ['principals'],
  consent: ['limits', 'notifications', 'principals'],
  par: ['clients', 'consent', 'limits', 'policy'],
  authorization: ['notifications'],
  mandates: ['status-list'],
  tokens: ['par', 'clients', 'mandates', 'principals', 'audit'],
  agents: ['consent', 'tokens'],
  policy: ['principals'],
  cards: ['principals', 'audit', 'queue'],
  payments: ['audit', 'notifications'],
  settlement: ['mandates', 'payments', 'limits', 'policy', 'notifications', 'audit', 'queue', 'principals'],
  webhooks: ['cards', 'payments', 'settlement'],
  sandbox: ['mandates', 'notifications', 'settlement'],
  operator: ['cards', 'clients', 'limits', 'principals', 'queue', 'tokens'],
  sessions: ['notifications', 'principals', 'queue'],
  portal: [
    'agents',
    'cards',
    'clients',
    'consent',
    'limits',
    'payments',
    'policy',
    'principals',
    'sessions',
    'settlement',
  ],
  seed: ['cards', 'clients', 'limits', 'operator', 'principals', 'sandbox'],
}

const transport = {
  http: ['clients', 'tokens'],
  trpc: Object.keys(slices).filter((name) => name !== 'seed'),
}

/** Files of server/ itself: they put the parts together, and only entry points, scripts and tests import them. */
const roots = ['boot', 'operations', 'jobs', 'sweep']

module.exports = { base, slices, transport, roots }
