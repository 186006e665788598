const { base, slices, transport, roots } = require('./modules.cjs')

const names = { base: Object.keys(base), slices: Object.keys(slices), transport: Object.keys(transport) }
const any = (list) => (list.length > 0 ? `(?:${list.join('|')})` : '(?!)')
const ours = '^(?:app|components|e2e|prisma|scripts|server|test|tool-server)/'
const tests = ['\\.test\\.tsx?$', '\\.contract\\.ts$', '/test-support(?:/|\\.ts$)']
const frontDoors = `^server/${any(names.slices)}/(?:index|contract|input)\\.ts$`

/** `name` may import its own files, the modules in `allowed`, and the types that Prisma generates. */
const mayImport = (name, allowed) => ({
  name: `${name}-imports`,
  comment: `server/${name} may import ${allowed.join(', ') || 'nothing else of ours'}: see modules.cjs.`,
  severity: 'error',
  from: { path: `^server/${name}/`, pathNot: tests },
  to: { path: ours, pathNot: [`^server/${any([name, ...allowed])}/`, '^prisma/generated/'] },
})

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** Vendor packages and the one place of each. */
const vendors = [
  [
    'database-drivers',
    ['@electric-sql/pglite', 'pg', 'pglite-prisma-adapter', '@prisma/adapter-pg'],
    ['^server/platform/database/'],
  ],
  ['redis', ['redis', 'rate-limiter-flexible'], ['^server/platform/']],
  ['mail', ['nodemailer'], ['^server/platform/mailer/']],
  ['logger', ['pino'], ['^server/platform/logger\\.ts$']],
  ['processor', ['stripe'], ['^server/platform/processor/']],
  ['passkeys', ['@simplewebauthn/server'], ['^server/passkeys/']],
  ['look-alikes', ['unhomoglyph'], ['^server/portal/']],
  ['sign-in-library', ['next-auth'], ['^server/sessions/', '^app/api/auth/']],
]

module.exports = {
  forbidden: [
    {
      ...mayImport('core', []),
      to: { ...mayImport('core', []).to, dependencyTypesNot: ['type-only'] },
    },
    rule(
      'core-types',
      'core may name types of protocol and of the generated client, and nothing else.',
      { path: '^server/core/', pathNot: tests },
      { path: ours, pathNot: ['^server/(?:core|protocol)/', '^prisma/generated/'] },
    ),
    ...names.base.filter((name) => name !== 'core').map((name) => mayImport(name, base[name])),
    ...names.slices.map((name) => mayImport(name, [...names.base, ...slices[name]])),
    ...names.transport.map((name) => mayImport(name, [...names.base, ...transport[name]])),
    rule(
      'every-module-is-in-the-table',
      'A new folder of server/ gets its line in modules.cjs.',
      { path: '^server/[^/]+/', pathNot: `^server/${any([...names.base, ...names.slices, ...names.transport])}/` },
      {},
    ),
    rule(
      'through-the-front-door',
      'Another slice is reached through its index.ts, contract.ts or input.ts.',
      { path: '^(?:app|components|server/([^/]+))(?:/|\\.ts$)', pathNot: tests },
      { path: `^server/${any(names.slices)}/`, pathNot: ['^server/$1/', frontDoors] },
    ),
    rule(
      'contracts-are-light',
      'A contract reaches browsers: schemas and rules only, no platform and no front door of verbs.',
      { path: '^server/([^/]+)/contract\\.ts$' },
      {
        path: ours,
        pathNot: ['^server/(?:contract|core|protocol|$1)/', '/contract\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'inputs-are-plain',
      'What forms share with a contract comes with the first load of a page: no library, and nothing of other slices.',
      { path: '^server/([^/]+)/input\\.ts$' },
      { path: '.', pathNot: ['^server/(?:core|$1)/'] },
    ),
    rule(
      'roots-are-entries',
      'The files that put the service together are for entry points, scripts and tests.',
      {
        path: '^(?:app|components|server)/',
        pathNot: [...tests, `^server/${any(roots)}\\.ts$`, '^app/(?:openapi\\.json|docs)/'],
      },
      { path: `^server/${any(roots)}\\.ts$` },
    ),
    rule(
      'routes-stay-thin',
      'A route file joins an operation and the kit, nothing more.',
      { path: '^app/.*route\\.ts$' },
      { path: ours, pathNot: ['^server/http/index\\.ts$', '^server/trpc/', '^server/operations\\.ts$', frontDoors] },
    ),
    rule(
      'components-see-contracts-only',
      'Components may use contracts, the plain rules of forms, the tRPC client and plain helpers of core.',
      { path: '^components/' },
      {
        path: '^(?:app|prisma|scripts|server|test|e2e)/',
        pathNot: [
          '^server/[^/]+/(?:contract|input)\\.ts$',
          '^server/contract/',
          '^server/core/(?:money|plain-line|sign-in-input)\\.ts$',
          '^server/trpc/client\\.tsx?$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'prisma-behind-the-database',
      'The generated client is opened in platform/database; everybody else gets it from the call and may name its types.',
      { path: '^(?:app|components|server)/', pathNot: ['^server/platform/database/', ...tests] },
      { path: '^prisma/generated/', dependencyTypesNot: ['type-only'] },
    ),
    ...vendors.map(([name, packages, places]) =>
      rule(
        `${name}-behind-its-adapter`,
        `Only ${places.join(' and ')} may import ${packages.join(', ')}.`,
        { path: '^(?:app|components|server)/', pathNot: [...places, ...tests] },
        { path: `node_modules/(?:@types/)?${any(packages)}/` },
      ),
    ),
    rule(
      'tool-server-is-a-stranger',
      'It speaks to the service over HTTP only.',
      { path: '^tool-server/' },
      { path: '^(?:app|components|prisma|scripts|server)/' },
    ),
    rule(
      'nobody-imports-the-tool-server',
      'Nor the service of it.',
      { path: '^(?:app|components|server)/' },
      { path: '^tool-server/' },
    ),
    rule(
      'no-cycles',
      'Type-only imports do not count.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule(
      'no-tests-from-source',
      'Source does not lean on tests.',
      { path: '^(?:app|components|server|tool-server/src)/', pathNot: tests },
      { path: ['\\.test\\.tsx?$', '^test/', '^e2e/', '/test-support(?:/|\\.ts$)'] },
    ),
    rule('resolvable', 'Every import leads somewhere.', { path: ours }, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/generated/'] },
    exclude: { path: ['^tool-server/dist/', '^\\.next/'] },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
