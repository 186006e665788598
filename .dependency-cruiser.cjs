const { modules, roots } = require('./modules.cjs')

const any = (list) => (list.length > 0 ? `(?:${list.join('|')})` : '(?!)')
const pathOf = new Map(modules.map(({ name, path }) => [name, path]))
const pathsOf = (names) => names.map((name) => pathOf.get(name))
const slices = modules.filter(({ area }) => area !== 'base' && area !== 'transport').map(({ path }) => path)
const ours = '^(?:app|components|e2e|prisma|scripts|server|test|tool-server|verify)/'
const tests = ['\\.test\\.tsx?$', '\\.contract\\.ts$', '/test-support(?:/|\\.ts$)']
const frontDoors = `^server/${any(slices)}/(?:index|contract|input)\\.ts$`

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** A module may import its own files, the modules that the table allows, and the types that Prisma generates. */
const mayImport = ({ name, path, mayImport: allowed }) =>
  rule(
    `${name}-imports`,
    `server/${path} may import ${allowed.join(', ') || 'nothing else of ours'}: see modules.cjs.`,
    { path: `^server/${path}/`, pathNot: tests },
    {
      path: ours,
      pathNot: [`^server/${any([path, ...pathsOf(allowed)])}/`, '^prisma/generated/'],
      ...(name === 'core' && { dependencyTypesNot: ['type-only'] }),
    },
  )

/** Vendor packages and the one place of each. */
const vendors = [
  [
    'database-drivers',
    ['@electric-sql/pglite', 'pg', 'pglite-prisma-adapter', '@prisma/adapter-pg'],
    ['^server/base/platform/database/'],
  ],
  ['redis', ['redis', 'rate-limiter-flexible'], ['^server/base/platform/']],
  ['mail', ['nodemailer'], ['^server/base/platform/mailer/']],
  ['metrics-library', ['prom-client'], ['^server/base/platform/telemetry/']],
  ['traces', ['@opentelemetry/[^/]+'], ['^server/base/platform/telemetry/traces\\.ts$']],
  ['logger', ['pino'], ['^server/base/platform/logger\\.ts$']],
  ['processor', ['stripe'], ['^server/base/platform/processor/']],
  ['jose', ['jose'], ['^server/base/protocol/']],
  ['certificates', ['@peculiar/x509', 'reflect-metadata'], ['^server/base/protocol/']],
  ['passkeys', ['@simplewebauthn/server'], ['^server/identity/passkeys/']],
  ['look-alikes', ['unhomoglyph'], ['^server/surfaces/portal/']],
  ['sign-in-library', ['next-auth'], ['^server/identity/sessions/', '^app/api/auth/']],
]

module.exports = {
  forbidden: [
    ...modules.map(mayImport),
    rule(
      'core-types',
      'core may name types of protocol and of the generated client, and nothing else.',
      { path: '^server/base/core/', pathNot: tests },
      { path: ours, pathNot: ['^server/base/(?:core|protocol)/', '^prisma/generated/'] },
    ),
    rule(
      'every-module-is-in-the-table',
      'A new folder of server/ gets its line in modules.cjs.',
      { path: '^server/[^/]+/', pathNot: `^server/${any(modules.map(({ path }) => path))}/` },
      {},
    ),
    rule(
      'through-the-front-door',
      'Another slice is reached through its index.ts, contract.ts or input.ts.',
      { path: '^(?:app|components|server/([^/]+/[^/]+))(?:/|\\.ts$)', pathNot: tests },
      { path: `^server/${any(slices)}/`, pathNot: ['^server/$1/', frontDoors] },
    ),
    rule(
      'contracts-are-light',
      'A contract reaches browsers: schemas and rules only, no platform and no front door of verbs.',
      { path: '^server/([^/]+/[^/]+)/(?:[a-z-]+/|)contract\\.ts$' },
      {
        path: ours,
        pathNot: ['^server/base/(?:contract|core|protocol)/', '^server/$1/', '/contract\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'portal-pages-stay-apart',
      'What two pages of the portal need stands in server/surfaces/portal/shared.',
      { path: '^server/surfaces/portal/([^/]+)/', pathNot: tests },
      {
        path: '^server/surfaces/portal/[^/]+/',
        pathNot: ['^server/surfaces/portal/$1/', '^server/surfaces/portal/shared/'],
      },
    ),
    rule(
      'inputs-are-plain',
      'What forms share with a contract comes with the first load of a page: no library, and nothing of other slices.',
      { path: '^server/([^/]+/[^/]+)/input\\.ts$' },
      { path: '.', pathNot: ['^server/base/core/', '^server/$1/'] },
    ),
    rule(
      'roots-are-entries',
      'The files that put the service together are for entry points, scripts and tests.',
      {
        path: '^(?:app|components|server)/',
        pathNot: [...tests, `^server/${any(roots)}\\.ts$`, '^app/(?:openapi\\.json|llms\\.txt|docs)/'],
      },
      { path: `^server/${any(roots)}\\.ts$` },
    ),
    rule(
      'routes-stay-thin',
      'A route file joins an operation and the kit, nothing more.',
      { path: '^app/.*route\\.ts$' },
      {
        path: ours,
        pathNot: [
          '^server/transport/http/index\\.ts$',
          '^server/transport/trpc/',
          '^server/operations\\.ts$',
          frontDoors,
        ],
      },
    ),
    rule(
      'components-see-contracts-only',
      'Components may use contracts, the plain rules of forms and plain helpers of core.',
      { path: '^components/' },
      {
        path: '^(?:app|prisma|scripts|server|test|e2e)/',
        pathNot: [
          '^server/[^/]+/[^/]+/(?:contract|input)\\.ts$',
          '^server/base/contract/',
          '^server/base/core/(?:calendar-day|card-name|money|free-text|parse-url|shell-word|sign-in-input|zoned-time)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'prisma-behind-the-database',
      'The generated client is opened in platform/database; everybody else gets it from the call and may name its types.',
      { path: '^(?:app|components|server)/', pathNot: ['^server/base/platform/database/', ...tests] },
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
      'verifier-is-a-stranger',
      'It judges what the service says, so it shares no code with it.',
      { path: '^verify/', pathNot: tests },
      { path: ours, pathNot: '^verify/' },
    ),
    rule(
      'verifier-depends-on-jose-alone',
      'A reader who has to trust it can read all of it; only its command line uses Node.',
      { path: '^verify/src/', pathNot: [...tests, '^verify/src/command-line\\.ts$'] },
      { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg'], pathNot: 'node_modules/jose/' },
    ),
    rule(
      'the-service-does-not-judge-itself',
      'The verifier is for the readers of a pack: pages load it, the service does not.',
      { path: '^server/', pathNot: tests },
      { path: '^verify/' },
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
      { path: '^(?:app|components|server|tool-server/src|verify/src)/', pathNot: tests },
      { path: ['\\.test\\.tsx?$', '^test/', '^e2e/', '/test-support(?:/|\\.ts$)'] },
    ),
    rule('resolvable', 'Every import leads somewhere.', { path: ours }, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/generated/'] },
    exclude: { path: ['^tool-server/dist/', '^verify/dist/', '^\\.next/'] },
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
