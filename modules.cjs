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
  'status-list': [],
  clients: ['principals'],
  notifications: [],
  limits: [],
  consent: ['limits', 'notifications'],
  par: ['clients', 'consent', 'limits'],
  authorization: ['notifications'],
  mandates: ['status-list'],
  tokens: ['par', 'clients', 'mandates', 'principals', 'audit'],
  agents: ['consent', 'tokens'],
  policy: [],
  cards: ['principals', 'audit'],
  payments: ['audit'],
  settlement: ['mandates', 'payments', 'limits', 'notifications', 'audit'],
  webhooks: ['cards', 'payments', 'settlement'],
  sandbox: ['mandates', 'notifications', 'settlement'],
  operator: ['cards', 'clients', 'limits', 'principals', 'tokens'],
  sessions: ['notifications', 'principals'],
  portal: ['agents', 'cards', 'clients', 'consent', 'limits', 'payments', 'principals', 'sessions'],
  seed: ['cards', 'clients', 'limits', 'operator', 'principals', 'sandbox'],
}

const transport = {
  http: ['clients', 'tokens'],
  trpc: Object.keys(slices).filter((name) => name !== 'seed'),
}

/** Files of server/ itself: they put the parts together, and only entry points, scripts and tests import them. */
const roots = ['boot', 'operations', 'jobs', 'sweep']

module.exports = { base, slices, transport, roots }
