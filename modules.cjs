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
  shared: { principals: [], audit: [], notifications: [], queue: [], 'request-log': [] },
  identity: { passkeys: [], sessions: ['passkeys'] },
  wallet: { limits: [], 'merchant-rules': [], approvals: ['limits'], cards: [] },
  oauth: {
    clients: [],
    authorization: ['clients'],
    mandates: [],
    tokens: ['authorization', 'clients', 'mandates'],
    metadata: [],
  },
  money: { payments: [], settlement: ['payments'], webhooks: ['payments', 'settlement'] },
  surfaces: {
    agents: [],
    sandbox: [],
    operator: [],
    seed: ['operator', 'sandbox'],
    health: [],
    openapi: [],
    portal: ['agents', 'sandbox'],
  },
  transport: { http: [], trpc: [] },
}

/** Files of server/ itself: they put the parts together, and only entry points, scripts and tests import them. */
const roots = ['boot', 'operations', 'jobs', 'sweep']

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

module.exports = { areas, modules, roots }
