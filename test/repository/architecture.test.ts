import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withModuleTable } from '@/scripts/module-table'
import { addressOf, fileOf, parseRouteFile, readRouteFiles } from '@/scripts/route-files'
import { renderRoutes } from '@/scripts/routes'
import { type AnyOperation, operationsOf } from '@/server/base/contract/endpoint'
import { operations } from '@/server/operations'

const root = process.cwd()
interface Module {
  readonly name: string
  readonly area: string
  readonly path: string
  readonly siblings: readonly string[]
  readonly mayImport: readonly string[]
}
const { areas, modules } = createRequire(import.meta.url)('../../modules.cjs') as {
  areas: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  modules: readonly Module[]
}

/** Runs the guard over a tree, as `npm run boundaries` does over this one. */
function cruiseAll(directory: string): ICruiseResult {
  const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const config = path.join(root, '.dependency-cruiser.cjs')
  const args = [
    cli,
    'app',
    'server',
    'components',
    'tool-server',
    'verify',
    '--config',
    config,
    '--output-type',
    'json',
  ]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout) as ICruiseResult
}

describe('the module table', () => {
  test('the module table lists each module after the siblings that it imports', () => {
    const wrong = Object.values(areas).flatMap((members) => {
      const names = Object.keys(members)
      return Object.entries(members).flatMap(([name, siblings]) =>
        siblings.filter((sibling) => !names.includes(sibling)).map((sibling) => `${name} → ${sibling}`),
      )
    })
    expect(wrong).toEqual([])
  })

  test('the module table has no cycle', () => {
    // Areas see what stands above them, so only siblings can close a circle.
    for (const members of Object.values(areas)) {
      const within = new Map(Object.entries(members))
      const walk = (name: string, seen: readonly string[]): void => {
        expect(seen).not.toContain(name)
        for (const next of within.get(name) ?? []) walk(next, [...seen, name])
      }
      for (const name of within.keys()) walk(name, [])
    }
  })
})

describe('the boundary rules', () => {
  /** One wrong import each, with the rule that must catch it. */
  const plants: readonly [rule: string, file: string, text: string][] = [
    ['clients-imports', 'server/oauth/clients/plant.ts', "import { x } from '../tokens'"],
    ['limits-imports', 'server/wallet/limits/plant.ts', "import { x } from '../../money/settlement'"],
    ['protocol-imports', 'server/base/protocol/plant.ts', "import { x } from '../../oauth/clients'"],
    ['contract-imports', 'server/base/contract/plant.ts', "import { x } from '../platform/container'"],
    ['platform-imports', 'server/base/platform/plant.ts', "import { x } from '../../oauth/tokens'"],
    ['core-imports', 'server/base/core/plant.ts', "import { x } from '../protocol/dpop'"],
    [
      'core-types',
      'server/base/core/plant-types.ts',
      "import type { X } from '../../oauth/clients'\nexport type Y = X",
    ],
    ['http-imports', 'server/transport/http/plant.ts', "import { x } from '../trpc/init'"],
    ['every-module-is-in-the-table', 'server/wallet/unlisted/plant.ts', "import { x } from '../../base/core/errors'"],
    ['every-module-is-in-the-table', 'server/unlisted/plant.ts', "import { x } from '../base/core/errors'"],
    ['through-the-front-door', 'server/oauth/tokens/plant.ts', "import { x } from '../clients/store'"],
    ['contracts-are-light', 'server/oauth/tokens/contract.ts', "import { x } from '../clients'"],
    ['contracts-are-light', 'server/surfaces/portal/home/contract.ts', "import { x } from '../../../oauth/clients'"],
    ['portal-pages-stay-apart', 'server/surfaces/portal/home/plant.ts', "import { x } from '../limits/plant-page'"],
    ['inputs-are-plain', 'server/oauth/tokens/input.ts', "import { x } from 'zod'"],
    ['roots-are-entries', 'server/oauth/tokens/plant-root.ts', "import { x } from '../../operations'"],
    ['routes-stay-thin', 'app/plant/route.ts', "import { x } from '@/server/base/core/errors'"],
    ['components-see-contracts-only', 'components/plant.ts', "import { x } from '@/server/oauth/clients'"],
    [
      'prisma-behind-the-database',
      'server/oauth/clients/plant-prisma.ts',
      "import { x } from '@/prisma/generated/client'",
    ],
    ['database-drivers-behind-its-adapter', 'server/oauth/clients/plant-pg.ts', "import { x } from 'pg'"],
    ['redis-behind-its-adapter', 'server/oauth/clients/plant-redis.ts', "import { x } from 'redis'"],
    ['mail-behind-its-adapter', 'server/base/platform/plant-mail.ts', "import { x } from 'nodemailer'"],
    ['metrics-library-behind-its-adapter', 'server/transport/http/plant-metrics.ts', "import x from 'prom-client'"],
    [
      'traces-behind-its-adapter',
      'server/base/platform/telemetry/plant-traces.ts',
      "import x from '@opentelemetry/api'",
    ],
    ['logger-behind-its-adapter', 'server/transport/http/plant-pino.ts', "import x from 'pino'"],
    ['jose-behind-its-adapter', 'server/oauth/clients/plant-jose.ts', "import { x } from 'jose'"],
    ['sign-in-library-behind-its-adapter', 'components/plant-auth.ts', "import x from 'next-auth'"],
    ['tool-server-is-a-stranger', 'tool-server/src/plant.ts', "import { x } from '../../server/base/core/errors'"],
    [
      'nobody-imports-the-tool-server',
      'server/oauth/clients/plant-tools.ts',
      "import { x } from '../../../tool-server/src/plant'",
    ],
    ['verifier-is-a-stranger', 'verify/src/plant.ts', "import { x } from '../../server/base/core/errors'"],
    ['verifier-depends-on-jose-alone', 'verify/src/plant-node.ts', "import { x } from 'node:fs'"],
    [
      'the-service-does-not-judge-itself',
      'server/oauth/clients/plant-verify.ts',
      "import { x } from '../../../verify/src/plant'",
    ],
    ['no-cycles', 'server/oauth/clients/plant-a.ts', "import { x } from './plant-b'\nexport const y = x"],
    ['no-tests-from-source', 'server/oauth/clients/plant-test.ts', "import { x } from './plant.test'"],
    ['resolvable', 'server/oauth/clients/plant-missing.ts', "import { x } from './nowhere'"],
  ]
  const supports: Readonly<Record<string, string>> = {
    'server/oauth/clients/index.ts': '',
    'server/oauth/clients/store.ts': '',
    'server/oauth/clients/plant.test.ts': '',
    'server/oauth/clients/plant-b.ts': "import { y } from './plant-a'\nexport const x = y",
    'server/base/core/errors.ts': '',
    'server/operations.ts': '',
    'server/base/platform/container.ts': '',
    'server/base/protocol/dpop.ts': '',
    'server/money/settlement/index.ts': '',
    'server/oauth/tokens/index.ts': '',
    'server/surfaces/portal/limits/plant-page.ts': '',
    'server/transport/trpc/init.ts': '',
    'prisma/generated/client.ts': '',
  }
  let directory = ''
  let found: ReadonlySet<string> = new Set()

  beforeAll(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-plants-'))
    const files = [...Object.entries(supports), ...plants.map(([, file, text]) => [file, text] as const)]
    for (const [file, text] of files) {
      mkdirSync(path.join(directory, path.dirname(file)), { recursive: true })
      writeFileSync(path.join(directory, file), text === '' ? 'export const x = 1\nexport type X = 1\n' : `${text}\n`)
    }
    writeFileSync(path.join(directory, 'tsconfig.json'), readFileSync(path.join(root, 'tsconfig.json')))
    writeFileSync(path.join(directory, 'package.json'), readFileSync(path.join(root, 'package.json')))
    symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'))
    const { summary } = cruiseAll(directory)
    found = new Set(summary.violations.map(({ rule, from }) => `${rule.name} ${from}`))
  }, 60_000)

  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test.each(plants)('the rule %s catches %s', (rule, file) => {
    expect(found).toContain(`${rule} ${file}`)
  })
})

describe('route files', () => {
  const routeFiles = readRouteFiles(root)

  test('every path of the operations table has one route file, and there is no other', () => {
    expect(routeFiles.map(({ file }) => file).toSorted()).toEqual(
      [...new Set(operations.map(({ endpoint }) => fileOf(endpoint.path)))].toSorted(),
    )
  })

  test.each(routeFiles.map((routeFile) => [routeFile.path, routeFile] as const))(
    '%s serves exactly the methods of its contracts',
    async (address, { operations: named }) => {
      const joined = await Promise.all(
        named.map(async ({ name, module }) => memberOf(await importModule(module), name)),
      )
      const served = joined.map((one) => `${one?.endpoint.method ?? 'unknown'} ${one?.endpoint.path ?? ''}`)
      const promised = operations.filter(({ endpoint }) => endpoint.path === address)
      expect(served.toSorted()).toEqual(promised.map(({ endpoint }) => `${endpoint.method} ${address}`).toSorted())
    },
  )

  test('a route file with more than its one statement is refused', () => {
    const statement = 'export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readHealth)\n'
    const imports =
      "import { readHealth } from '@/server/surfaces/health'\nimport { route } from '@/server/transport/http'\n\n"
    expect(parseRouteFile('app/healthz/route.ts', imports + statement).operations).toHaveLength(1)
    expect(() => parseRouteFile('app/healthz/route.ts', `${imports}const secret = 1\n${statement}`)).toThrow(
      'one statement',
    )
  })

  test('folders and contract paths use the same parameter names', () => {
    expect(addressOf(fileOf('/oauth/par/{request_uri}/status'))).toBe('/oauth/par/{request_uri}/status')
  })
})

function memberOf(module: Record<string, unknown>, name: string): AnyOperation | undefined {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], module) as AnyOperation
}

/** Vite resolves a dynamic import only with one variable per folder. */
async function importModule(module: string): Promise<Record<string, unknown>> {
  if (module === '@/server/operations') return import('@/server/operations')
  const [area, name] = module.replace('@/server/', '').split('/')
  return (await import(`../../server/${area}/${name}/index.ts`)) as Record<string, unknown>
}

describe('contracts', () => {
  const endpoints = operations.map(({ endpoint }) => endpoint)

  test('every operation that a slice exports is served, once', async () => {
    const exported = await Promise.all(modules.map(async (module) => operationsOf(await frontDoor(module.path))))
    const ids = exported.flat().map(({ endpoint }) => endpoint.operationId)
    const served = new Set(endpoints.map(({ operationId }) => operationId))
    expect(ids.filter((id) => !served.has(id))).toEqual([])
  })

  test('operation ids are unique', () => {
    const ids = endpoints.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('no two operations share method and path', () => {
    const addresses = endpoints.map(({ method, path: address }) => `${method} ${address.replaceAll(/\{\w+\}/g, '{}')}`)
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
  })

  test.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s declares every input once: in the path, the query or the body',
    (_id, { params, query, body, path: address }) => {
      const schemas = [params, query, body !== undefined && 'schema' in body ? body.schema : undefined]
      const names = schemas.flatMap((schema) =>
        schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [],
      )
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
      const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      expect(Object.keys(params?.shape ?? {}).toSorted()).toEqual(inPath.toSorted())
    },
  )

  test('docs/ARCHITECTURE.md shows the current module table', () => {
    const page = readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8')
    expect(page).toBe(withModuleTable(page))
    expect(page).not.toContain('to be described')
  })

  test('the walk of a purchase in docs/ARCHITECTURE.md names at most 20 files, and functions that are there', () => {
    const page = readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8')
    const steps = [...page.matchAll(/^\d+\. `(server\/[\w/-]+\.ts)`, `(\w+)`/gm)].map(([, file = '', name = '']) => ({
      file,
      name,
    }))
    expect(steps.length).toBeGreaterThan(10)
    expect(steps.length).toBeLessThanOrEqual(20)
    const missing = steps.filter(
      ({ file, name }) =>
        !new RegExp(`\\b(?:function|const) ${name}\\b`).test(readFileSync(path.join(root, file), 'utf8')),
    )
    expect(missing).toEqual([])
  })

  test('docs/routes.md is up to date', () => {
    expect(readFileSync(path.join(root, 'docs/routes.md'), 'utf8')).toBe(renderRoutes())
  })
})

async function frontDoor(folder: string): Promise<Record<string, unknown>> {
  const hasDoor = folder !== 'transport/trpc' && readdirSync(path.join(root, 'server', folder)).includes('index.ts')
  return hasDoor ? importModule(`@/server/${folder}`) : {}
}

describe('the environment', () => {
  test('README.md explains every variable', () => {
    const config = ['config', 'config-traces']
      .map((file) => readFileSync(path.join(root, `server/base/platform/${file}.ts`), 'utf8'))
      .join('\n')
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
    const names = [...config.matchAll(/^ {2}([A-Z][A-Z_0-9]+):/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => name !== 'NODE_ENV' && !readme.includes(`\`${name}\``))).toEqual([])
  })

  test('the environment is read by the configuration alone', () => {
    const readers = ['app', 'components', 'server']
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          path.posix.join(folder, name),
        ),
      )
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.includes('.contract.'))
      .filter((file) => /\bprocess\s*\.\s*env\b|from 'node:process'/.test(readFileSync(path.join(root, file), 'utf8')))
    expect(readers).toEqual(['server/base/platform/config.ts'])
  })
})
