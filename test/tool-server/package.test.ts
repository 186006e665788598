import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CountersignClient, mintKey } from '../../tool-server/src/client'
import { exchange, newPrincipal, newSetupToken, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const read = (file: string) => readFile(path.join(root, file), 'utf8')
const readJson = async (file: string) => JSON.parse(await read(file))

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

let app: App
let project: string
let packed: Packed
beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'countersign-package-'))
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: path.join(root, 'tool-server'),
  })
  const [report] = JSON.parse(stdout) as Packed[]
  if (report === undefined) throw new Error(stdout)
  packed = report
  await writeFile(path.join(project, 'package.json'), '{ "private": true }')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', path.join(project, packed.filename), ...quietly], { cwd: project })
  app = await startApp()
})
afterAll(async () => {
  await app.close()
  await rm(project, { recursive: true, force: true })
})

describe('C48b the package', () => {
  test('holds licence, description and what is built, and nothing else', () => {
    const names = packed.files.map((file) => file.path)
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/bin.js']))
    expect(names.filter((name) => !/^(?:LICENSE|README\.md|package\.json|dist\/.+)$/.test(name))).toEqual([])
    expect(names.filter((name) => /test|\.ts$/.test(name) && !name.endsWith('.d.ts'))).toEqual([])
  })

  test('names itself as registry and bundle do', async () => {
    const manifest = await readJson('tool-server/package.json')
    const listed = await readJson('tool-server/server.json')
    const bundle = await readJson('tool-server/manifest.json')
    expect(listed).toMatchObject({ name: manifest.mcpName, version: manifest.version })
    expect(listed.packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }])
    expect(bundle.version).toBe(manifest.version)
    expect(manifest).toMatchObject({
      repository: { url: `git+${listed.repository.url}.git` },
      homepage: listed.websiteUrl,
      keywords: expect.arrayContaining(['mcp-server']),
    })
    expect(listed.description.length).toBeLessThanOrEqual(100)
    expect(await read('tool-server/LICENSE')).toBe(await read('LICENSE'))
  })

  test('B20 says in registry, bundle and README that the first registration is the one in use', async () => {
    const [listed, bundle] = [await readJson('tool-server/server.json'), await readJson('tool-server/manifest.json')]
    const [variable] = listed.packages[0].environmentVariables
    expect(variable).toMatchObject({
      name: 'COUNTERSIGN_AS_URL',
      description: expect.stringMatching(/registered first$/),
    })
    expect(bundle.user_config.as_url.description).toMatch(/registered with first\.$/)
    expect(await read('tool-server/README.md')).toMatch(/`COUNTERSIGN_AS_URL` .+ that of the first registration /)
  })

  test('is installed by links that start what the README says', async () => {
    const page = await read('tool-server/README.md')
    const command = { command: 'npx', args: ['-y', '@countersign/tools', 'serve'] }
    const [, link = ''] = /\(https:\/\/vscode\.dev\/redirect\?url=([^)]+)\)/.exec(page) ?? []
    const [, inVsCode = ''] = decodeURIComponent(link).split('vscode:mcp/install?')
    expect(JSON.parse(decodeURIComponent(inVsCode))).toEqual({ name: 'countersign', type: 'stdio', ...command })
    const [, inCursor = ''] = /install-mcp\?name=countersign&config=([^)]+)\)/.exec(page) ?? []
    expect(JSON.parse(Buffer.from(decodeURIComponent(inCursor), 'base64').toString())).toEqual(command)
  })

  test('is as large, and brings as many packages, as its README says', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable', '--omit=dev'], { cwd: project })
    const packages = new Set(stdout.trim().split('\n').slice(1))
    const [, kilobytes, count] = /(\d+) kB packed, (\d+) packages/.exec(await read('tool-server/README.md')) ?? []
    expect(packages.size).toBe(Number(count))
    expect(packed.size / 1024).toBeLessThanOrEqual(Number(kilobytes))
    expect(packed.size / 1024).toBeGreaterThan(Number(kilobytes) * 0.7)
  })
})

/** The programs of the page, by the name in their first line. */
async function readExamples(): Promise<Map<string, string>> {
  const page = await read('docs/agents.md')
  const blocks = [...page.matchAll(/^```js\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)]
  return new Map(blocks.map(([, text = '', name = '']) => [name, text]))
}

/** Approves what the person is asked until the program has ended. */
async function approveUntil(ended: Promise<unknown>, person: Person): Promise<void> {
  const hasEnded = ended.then(
    () => true,
    () => true,
  )
  do {
    for (const { authorization_id: id } of await person.pending()) await person.decide(id, 'approve')
  } while (!(await Promise.race([hasEnded, setTimeout(POLL_MS, false)])))
}

const POLL_MS = 100

/** This Node.js and those that TEST_NODES names, separated by colons. */
const nodes = [process.execPath, ...(process.env['TEST_NODES']?.split(':') ?? [])]

describe.each(nodes)('C47 the library in an empty project, with %s', (node) => {
  let person: Person
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    person = await Person.signIn(app, principalId)
    env = {
      NODE_ENV: 'test',
      PATH: process.env['PATH'],
      COUNTERSIGN_AS_URL: app.baseUrl,
      SETUP_TOKEN: await newSetupToken(app, principalId),
    }
    for (const [name, text] of await readExamples()) await writeFile(path.join(project, name), text)
    const catalog = await exchange(`${app.baseUrl}/discovery/merchants/tallow-books/catalog-preview`)
    const { merchant, items } = catalog.json as { merchant: string; items: Record<string, unknown>[] }
    const { sku, unit_price_minor, currency, offer_id, offer_digest } = items[0] ?? {}
    const line_items = [{ sku, qty: 1, unit_price_minor, currency }]
    const order = { merchant, amount_minor: unit_price_minor, currency, line_items, offer_id, offer_digest }
    await writeFile(path.join(project, 'order.json'), JSON.stringify(order))
  })

  async function runExample(name: string): Promise<string> {
    const program = run(node, [name], { cwd: project, env })
    await approveUntil(program, person)
    return (await program).stdout
  }

  test('registers, pays, orders, shows what the person sees and gets their data', async () => {
    expect(await runExample('register.mjs')).toBe('registered\n')
    expect(await runExample('pay.mjs')).toBe('succeeded 1200 EUR\n')
    expect((await runExample('overview.mjs')).split('\n')).toEqual([
      'agents: Bookworm',
      'payments: 1200',
      'entries: 1',
      'revoke: 403 insufficient_scope',
      '',
    ])
    expect(await runExample('order.mjs')).toBe('paid 1200 EUR\n')
    expect((await runExample('data.mjs')).split('\n')).toEqual([
      'copy: queued',
      'export: schema_version request_id principal agent_clients audit_chain_entries',
      '',
    ])
  })

  test('C47, C48 is there for CommonJS and mints keys, and so is the command', async () => {
    expect(await runExample('mint.cjs')).toBe('kty crv x d\n')
    const { stdout } = await run(node, ['node_modules/@countersign/tools/dist/bin.js', '--version'], { cwd: project })
    expect(stdout).toBe('0.1.0\n')
  })
})

describe('C47 what the library sends about the person', () => {
  interface Arrived {
    readonly line: string
    readonly headers: IncomingHttpHeaders
  }
  const dump = {
    schema_version: 1,
    request_id: 'r1',
    principal: { principal_id: 'p1', wallet_operator: 'w', email: null, display_name: null },
    agent_clients: [],
    audit_chain_entries: [],
  }
  const queued = { status: 'queued', request_id: 'r1', estimated_delivery: '2026-11-23T10:00:00.000Z' }
  const arrived: Arrived[] = []
  const server = createServer(({ method, url, headers }, response) => {
    arrived.push({ line: `${method} ${url}`, headers })
    const isLimited = url === '/wallet/payment-history?limit=5'
    const body = isLimited ? { error: 'rate_limited' } : url === '/privacy/dsar/access' ? queued : dump
    response.setHeader('content-type', 'application/json').setHeader('retry-after', '7')
    response.writeHead(isLimited ? 429 : 200).end(JSON.stringify(body))
  })
  let client: CountersignClient
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const asUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = new CountersignClient({ asUrl, dpopKey: mintKey(), assertionKey: mintKey(), clientId: 'c1' })
  })
  afterAll(() => server.close())

  /** A token as it looks from outside. */
  const tokenFor = (jkt: string) =>
    ['{"typ":"at+jwt","alg":"EdDSA"}', JSON.stringify({ cnf: { jkt } }), 's']
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.')

  test('A4 a token of its own key goes out with a proof, another as bearer token', async () => {
    const own = tokenFor(client.jkt)
    expect(await client.exportData({ accessToken: own })).toEqual(dump)
    expect(await client.requestAccess({ accessToken: tokenFor('other') })).toEqual(queued)
    const [first, second] = arrived
    expect(first?.line).toBe('POST /privacy/dsar/portability')
    expect(first?.headers).toMatchObject({ authorization: `DPoP ${own}`, dpop: expect.any(String) })
    expect(second?.line).toBe('POST /privacy/dsar/access')
    expect(second?.headers.authorization).toBe(`Bearer ${tokenFor('other')}`)
    expect(second?.headers['dpop']).toBeUndefined()
  })

  test('B32 each request has an idempotency key of its own, or the one that it is given', async () => {
    arrived.length = 0
    const accessToken = tokenFor(client.jkt)
    await client.exportData({ accessToken })
    await client.exportData({ accessToken })
    await client.exportData({ accessToken, idempotencyKey: 'again' })
    const [first, second, third] = arrived.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(second).not.toBe(first)
    expect(third).toBe('again')
  })

  test('a refusal has status, code and pause, and a signal cancels', async () => {
    const accessToken = tokenFor(client.jkt)
    await expect(client.paymentHistory({ limit: 5 }, { accessToken })).rejects.toMatchObject({
      name: 'Refusal',
      message: '429 rate_limited',
      status: 429,
      code: 'rate_limited',
      retryAfterMs: 7_000,
    })
    const cancelled = client.listAgents({ accessToken }, AbortSignal.abort())
    await expect(cancelled).rejects.toMatchObject({ name: 'Cancelled' })
  })
})
