import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_INFO } from './package-info.js'

const packageDirectory = fileURLToPath(new URL('..', import.meta.url))
const bin = join(packageDirectory, 'dist/bin.js')

let home = ''
let client: Client

/** Builds when the sources are newer than what is built. */
function build(): void {
  const sources = readdirSync(join(packageDirectory, 'src'), { recursive: true, encoding: 'utf8' })
  const newest = Math.max(...sources.map((name) => statSync(join(packageDirectory, 'src', name)).mtimeMs))
  if (existsSync(bin) && statSync(bin).mtimeMs >= newest) return
  const tsc = join(packageDirectory, '../node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: packageDirectory, stdio: 'inherit' })
}

async function connect(env: Record<string, string> = {}): Promise<Client> {
  const connected = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'serve'],
    env: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: home, ...env },
    stderr: 'ignore',
  })
  await connected.connect(transport)
  return connected
}

const textsOf = (result: Awaited<ReturnType<Client['callTool']>>): string[] =>
  (result.content as { text: string }[]).map(({ text }) => text)

beforeAll(async () => {
  build()
  home = join(await mkdtemp(join(tmpdir(), 'countersign-stdio-')), 'home')
  client = await connect()
}, 60_000)

afterAll(() => client.close())

describe('what hosts see', () => {
  test('name, version and instructions', () => {
    const { name, version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8'))
    expect(PACKAGE_INFO).toEqual({ name, version })
    expect(client.getServerVersion()).toMatchObject(PACKAGE_INFO)
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    const instructions = client.getInstructions() ?? ''
    expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(120)
    expect(instructions).toContain('step_up_required')
  })

  test('tools, their annotations and schemas', async () => {
    const { tools } = await client.listTools()
    for (const { annotations, inputSchema, outputSchema, title } of tools) {
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
        'title',
      ])
      expect(title).toBe(annotations?.title)
      expect(inputSchema['additionalProperties']).toBe(false)
      expect(outputSchema?.type).toBe('object')
    }
    expect(tools).toMatchSnapshot()
  })

  test('only tools that change nothing when told so', async () => {
    const reader = await connect({ COUNTERSIGN_TOOLS: 'read' })
    const { tools } = await reader.listTools()
    expect(tools.length).toBeGreaterThan(0)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    await reader.close()
  })
})

const payment = {
  merchant_url: 'https://shop.example',
  merchant_base_api: 'https://shop.example/api',
  amount: { currency: 'EUR', amount_minor: 1200 },
  line_items: [{ sku: 'book', qty: 1 }],
  redirect_uri: 'http://127.0.0.1:8765/oid4ac/callback',
}

describe('calls that cannot be served', () => {
  test('an unknown tool is a protocol error', async () => {
    await expect(client.callTool({ name: 'agent_steal', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  test.each([
    ['agent_register', { setup_token: '' }, 'invalid arguments: setup_token:'],
    ['agent_register', undefined, 'invalid arguments: setup_token:'],
    ['agent_payment_initiate', { ...payment, amount: { currency: 'EUR', amount_minor: 0 } }, 'amount.amount_minor:'],
    ['agent_payment_initiate', { ...payment, line_items: [{ sku: 'book', qty: 1.5 }] }, 'line_items.0.qty:'],
    ['agent_payment_initiate', { ...payment, card_number: '1' }, 'invalid arguments: card_number:'],
    ['agent_payment_initiate', { ...payment, consent_poll_timeout_seconds: 901 }, 'consent_poll_timeout_seconds:'],
    ['discovery_list_merchants', { page_size: 101 }, 'invalid arguments: page_size:'],
    ['agent_browse_merchant', {}, 'invalid arguments: merchant_id:'],
  ])('%s says which argument is wrong', async (name, args, detail) => {
    const result = await client.callTool({ name, ...(args !== undefined && { arguments: args }) })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toBeUndefined()
    expect(textsOf(result)[0]).toMatch(new RegExp(`^${name} failed: `))
    expect(textsOf(result)[0]).toContain(detail)
  })

  test('an agent that is not registered cannot pay', async () => {
    const result = await client.callTool({ name: 'agent_payment_initiate', arguments: payment })
    expect(result.isError).toBe(true)
    expect(textsOf(result)[0]).toBe('agent_payment_initiate failed: agent not registered yet')
    expect(existsSync(home)).toBe(false)
  })

  test.each([
    [{ ...payment, merchant_base_api: undefined }, 'merchant_base_api or merchant_verify_url is required'],
    [{ ...payment, merchant_domain: 'evil.example' }, 'merchant_domain is not the host of merchant_url'],
  ])('a payment that contradicts itself is refused', async (args, detail) => {
    const result = await client.callTool({ name: 'agent_payment_initiate', arguments: args })
    expect(textsOf(result)[0]).toBe(`agent_payment_initiate failed: ${detail}`)
  })

  test('a directory that is not there is a failed fetch', async () => {
    const lost = await connect({ COUNTERSIGN_DISCOVERY_URL: 'http://127.0.0.1:1' })
    const result = await lost.callTool({ name: 'discovery_list_merchants', arguments: {} })
    expect(textsOf(result)[0]).toBe('discovery_list_merchants failed: fetch failed')
    await lost.close()
  })
})

describe('discovery', () => {
  let directory: Server
  let reader: Client
  const entry = {
    id: 'tallow-books',
    merchant_audience: 'https://tallow.example',
    business_name: 'Tallow Books',
    country: 'DE',
    accepts_currency: ['EUR'],
    accepts_rail: ['card'],
    verification_status: 'verified',
    verified_at: '2026-01-01T00:00:00Z',
  }
  let lastUrl: string | undefined

  beforeAll(async () => {
    directory = createServer((request, response) => {
      lastUrl = request.url
      const isList = request.url?.startsWith('/merchants?') || request.url === '/merchants'
      const body = isList
        ? {
            merchants: [entry, { ...entry, id: 'x', verification_status: 'suspended' }],
            page: 1,
            page_size: 20,
            total: 2,
          }
        : { error: 'rate_limited', error_description: 'slow down' }
      response
        .setHeader('content-type', 'application/json')
        .writeHead(isList ? 200 : 429)
        .end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve))
    const { port } = directory.address() as AddressInfo
    reader = await connect({ COUNTERSIGN_DISCOVERY_URL: `http://127.0.0.1:${port}/` })
  })

  afterAll(async () => {
    await reader.close()
    directory.close()
  })

  test('lists verified merchants only, as structured content and as text', async () => {
    await reader.listTools()
    const result = await reader.callTool({
      name: 'discovery_list_merchants',
      arguments: { country: 'DE', q: 'books & more', page: 1 },
    })
    expect(lastUrl).toBe('/merchants?country=DE&q=books+%26+more&page=1')
    expect(result.structuredContent).toEqual({ merchants: [entry], page: 1, page_size: 20, total: 2 })
    expect(JSON.parse(textsOf(result)[0] ?? '')).toEqual(result.structuredContent)
  })

  test('names status and code of a refusal', async () => {
    const result = await reader.callTool({ name: 'agent_browse_merchant', arguments: { merchant_id: '../a' } })
    expect(lastUrl).toBe('/merchants/..%2Fa/catalog-preview')
    expect(textsOf(result)).toEqual(['agent_browse_merchant failed: 429 rate_limited', 'slow down'])
  })
})

describe('the process', () => {
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, [bin, ...args], { env: { NODE_ENV: 'test', COUNTERSIGN_HOME: home } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += String(chunk)))
    child.stderr.on('data', (chunk) => (stderr += String(chunk)))
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, stdout, stderr })),
    )
    return { child, ended }
  }

  test('ends soon after its input does, having written nothing but answers', async () => {
    const { child, ended } = start(['serve'])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const startedAt = Date.now()
    child.stdin.end()
    const { code, stdout } = await ended
    expect(Date.now() - startedAt).toBeLessThan(500)
    expect(code).toBe(0)
    expect(stdout).toBe('{"result":{},"jsonrpc":"2.0","id":1}\n')
  })

  test('leaves no trace when it is only looked at', async () => {
    const { child, ended } = start(['serve'])
    child.stdin.end()
    await ended
    expect(existsSync(home)).toBe(false)
  })

  test.each([[[]], [['serve', '--port']], [['register']]])('%j is a usage error', async (args) => {
    const { ended } = start(args)
    const { code, stdout, stderr } = await ended
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('Usage:')
  })

  test('a registration that cannot be sent fails without a trace of the token', async () => {
    const { ended } = start(['register', '--setup-token', 'secret-token', '--as-url', 'http://127.0.0.1:1'])
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toContain('register failed: fetch failed')
    expect(stderr).not.toContain('secret-token')
  })
})
