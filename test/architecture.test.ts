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
import { type AnyOperation, operationsOf } from '@/server/contract/endpoint'
import { operations } from '@/server/operations'

const root = process.cwd()
const { base, slices, transport } = createRequire(import.meta.url)('../modules.cjs') as Record<
  'base' | 'slices' | 'transport',
  Record<string, readonly string[]>
>

/** Runs the guard over a tree, as `npm run boundaries` does over this one. */
function cruiseAll(directory: string): ICruiseResult {
  const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const config = path.join(root, '.dependency-cruiser.cjs')
  const args = [cli, 'app', 'server', 'components', 'tool-server', '--config', config, '--output-type', 'json']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout) as ICruiseResult
}

describe('the module table', () => {
  test('holds for the tree as it is, which was looked at as a whole', { timeout: 120_000 }, () => {
    const { summary } = cruiseAll(root)
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
    // A run that saw nothing is not a clean run.
    expect(summary.totalCruised).toBeGreaterThan(100)
  })

  test('has no cycle', () => {
    const graph = { ...base, ...slices, ...transport }
    const reach = (name: string, seen: readonly string[]): void => {
      if (seen.includes(name)) throw new Error([...seen, name].join(' → '))
      for (const next of graph[name] ?? []) reach(next, [...seen, name])
    }
    for (const name of Object.keys(graph)) reach(name, [])
  })
})

describe('the boundary guard bites', () => {
  /** One wrong import each, with the rule that must catch it. */
  const plants: readonly [rule: string, file: string, text: string][] = [
    ['clients-imports', 'server/clients/plant.ts', "import { x } from '../tokens'"],
    ['protocol-imports', 'server/protocol/plant.ts', "import { x } from '../clients'"],
    ['contract-imports', 'server/contract/plant.ts', "import { x } from '../platform/container'"],
    ['platform-imports', 'server/platform/plant.ts', "import { x } from '../tokens'"],
    ['core-imports', 'server/core/plant.ts', "import { x } from '../protocol/dpop'"],
    ['core-types', 'server/core/plant-types.ts', "import type { X } from '../clients'\nexport type Y = X"],
    ['http-imports', 'server/http/plant.ts', "import { x } from '../settlement'"],
    ['every-module-is-in-the-table', 'server/unlisted/plant.ts', "import { x } from '../core/errors'"],
    ['through-the-front-door', 'server/tokens/plant.ts', "import { x } from '../clients/store'"],
    ['contracts-are-light', 'server/tokens/contract.ts', "import { x } from '../clients'"],
    ['inputs-are-plain', 'server/tokens/input.ts', "import { x } from 'zod'"],
    ['roots-are-entries', 'server/tokens/plant-root.ts', "import { x } from '../operations'"],
    ['routes-stay-thin', 'app/plant/route.ts', "import { x } from '@/server/core/errors'"],
    ['components-see-contracts-only', 'components/plant.ts', "import { x } from '@/server/clients'"],
    ['prisma-behind-the-database', 'server/clients/plant-prisma.ts', "import { x } from '@/prisma/generated/client'"],
    ['database-drivers-behind-its-adapter', 'server/clients/plant-pg.ts', "import { x } from 'pg'"],
    ['redis-behind-its-adapter', 'server/clients/plant-redis.ts', "import { x } from 'redis'"],
    ['mail-behind-its-adapter', 'server/platform/plant-mail.ts', "import { x } from 'nodemailer'"],
    ['logger-behind-its-adapter', 'server/http/plant-pino.ts', "import x from 'pino'"],
    ['sign-in-library-behind-its-adapter', 'components/plant-auth.ts', "import x from 'next-auth'"],
    ['tool-server-is-a-stranger', 'tool-server/src/plant.ts', "import { x } from '../../server/core/errors'"],
    [
      'nobody-imports-the-tool-server',
      'server/clients/plant-tools.ts',
      "import { x } from '../../tool-server/src/plant'",
    ],
    ['no-cycles', 'server/clients/plant-a.ts', "import { x } from './plant-b'\nexport const y = x"],
    ['no-tests-from-source', 'server/clients/plant-test.ts', "import { x } from './plant.test'"],
    ['resolvable', 'server/clients/plant-missing.ts', "import { x } from './nowhere'"],
  ]
  const supports: Readonly<Record<string, string>> = {
    'server/clients/index.ts': '',
    'server/clients/store.ts': '',
    'server/clients/plant.test.ts': '',
    'server/clients/plant-b.ts': "import { y } from './plant-a'\nexport const x = y",
    'server/core/errors.ts': '',
    'server/operations.ts': '',
    'server/platform/container.ts': '',
    'server/protocol/dpop.ts': '',
    'server/settlement/index.ts': '',
    'server/tokens/index.ts': '',
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

  test.each(plants)('%s catches %s', (rule, file) => {
    expect(found).toContain(`${rule} ${file}`)
  })
})

describe('route files', () => {
  const routeFiles = readRouteFiles(root)

  test('there is one for every path of the operations table, and no other', () => {
    expect(routeFiles.map(({ file }) => file).toSorted()).toEqual(
      [...new Set(operations.map(({ endpoint }) => fileOf(endpoint.path)))].toSorted(),
    )
  })

  test.each(routeFiles.map((routeFile) => [routeFile.path, routeFile] as const))(
    '%s serves the methods of its contracts, no more and no fewer',
    async (address, { operations: named }) => {
      const joined = await Promise.all(
        named.map(async ({ name, module }) => memberOf(await importModule(module), name)),
      )
      const served = joined.map((one) => `${one?.endpoint.method ?? 'unknown'} ${one?.endpoint.path ?? ''}`)
      const promised = operations.filter(({ endpoint }) => endpoint.path === address)
      expect(served.toSorted()).toEqual(promised.map(({ endpoint }) => `${endpoint.method} ${address}`).toSorted())
    },
  )

  test('a file that says more than its one statement is refused', () => {
    const statement = 'export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readHealth)\n'
    const imports = "import { readHealth } from '@/server/health'\nimport { route } from '@/server/http'\n\n"
    expect(parseRouteFile('app/healthz/route.ts', imports + statement).operations).toHaveLength(1)
    expect(() => parseRouteFile('app/healthz/route.ts', `${imports}const secret = 1\n${statement}`)).toThrow(
      'one statement',
    )
  })

  test('folders and contract paths name parameters alike', () => {
    expect(addressOf(fileOf('/oauth/par/{request_uri}/status'))).toBe('/oauth/par/{request_uri}/status')
  })
})

function memberOf(module: Record<string, unknown>, name: string): AnyOperation | undefined {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], module) as AnyOperation
}

/** Vite wants the start of a dynamic import's path to be fixed. */
async function importModule(module: string): Promise<Record<string, unknown>> {
  if (module === '@/server/operations') return import('@/server/operations')
  return (await import(`../server/${module.replace('@/server/', '')}/index.ts`)) as Record<string, unknown>
}

describe('contracts', () => {
  const endpoints = operations.map(({ endpoint }) => endpoint)

  test('every operation that a slice exports is served, once', async () => {
    const exported = await Promise.all(Object.keys(slices).map(async (slice) => operationsOf(await frontDoor(slice))))
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
    '%s names every input once: in the path, the query or the body',
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

  test('docs/ARCHITECTURE.md shows the module table as it is', () => {
    const page = readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8')
    expect(page).toBe(withModuleTable(page))
    expect(page).not.toContain('to be described')
  })

  test('docs/routes.md is what the table says', () => {
    expect(readFileSync(path.join(root, 'docs/routes.md'), 'utf8')).toBe(renderRoutes())
  })
})

async function frontDoor(slice: string): Promise<Record<string, unknown>> {
  const hasDoor = readdirSync(path.join(root, 'server', slice)).includes('index.ts')
  return hasDoor ? importModule(`@/server/${slice}`) : {}
}

describe('the environment', () => {
  test('README.md explains every variable', () => {
    const config = readFileSync(path.join(root, 'server/platform/config.ts'), 'utf8')
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
    const names = [...config.matchAll(/^ {2}([A-Z][A-Z_0-9]+):/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => name !== 'NODE_ENV' && !readme.includes(`\`${name}\``))).toEqual([])
  })

  test('is read by the configuration alone', () => {
    const readers = ['app', 'components', 'server']
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          path.posix.join(folder, name),
        ),
      )
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.includes('.contract.'))
      .filter((file) => /\bprocess\s*\.\s*env\b|from 'node:process'/.test(readFileSync(path.join(root, file), 'utf8')))
    expect(readers).toEqual(['server/platform/config.ts'])
  })
})
