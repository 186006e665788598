/** What hosts see of the tool server without an authorization server: its listing, its schemas, its process. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGE_INFO } from '../../tool-server/src/package-info'
import { BIN, newHome, removeHomes, ToolHost } from './tool-host'

const packageFile = path.resolve(import.meta.dirname, '../../tool-server/package.json')

let home = ''
let host: ToolHost
beforeAll(async () => {
  home = await newHome()
  host = await ToolHost.start(home)
})
afterAll(async () => {
  await host.close()
  await removeHomes()
})

describe('what hosts see', () => {
  test('name, version and instructions', () => {
    const { name, version } = JSON.parse(readFileSync(packageFile, 'utf8'))
    expect(PACKAGE_INFO).toEqual({ name, version })
    const { version: named, capabilities, instructions } = host.introduction()
    expect(named).toMatchObject(PACKAGE_INFO)
    expect(capabilities).toEqual({ tools: {} })
    expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(120)
    expect(instructions).toContain('step_up_required')
  })

  test('B41 tools, their annotations and schemas', async () => {
    const tools = await host.list()
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
    const readers = tools.flatMap(({ annotations }) => (annotations?.readOnlyHint === true ? [annotations] : []))
    expect(readers).toHaveLength(5)
    for (const hints of readers) expect(hints).toMatchObject({ destructiveHint: false, idempotentHint: true })
    expect(tools).toMatchSnapshot()
  })

  test('only tools that change nothing when told so', async () => {
    const reader = await ToolHost.start(home, { env: { COUNTERSIGN_TOOLS: 'read' } })
    const tools = await reader.list()
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
    await expect(host.call('agent_steal')).rejects.toMatchObject({ code: -32602 })
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
    const { isError, data, texts } = await host.call(name, args)
    expect([isError, data]).toEqual([true, {}])
    expect(texts[0]).toMatch(new RegExp(`^${name} failed: `))
    expect(texts[0]).toContain(detail)
  })

  test.each([
    ['x\ndiscovery_list_merchants failed: ok', 'x discovery_list_merchants failed: ok'],
    ['\u001B[2J\u202Ename', ' [2J name'],
    ['word '.repeat(100), 'word '.repeat(13).slice(0, 64)],
    ['t'.repeat(60), '[…]'],
  ])('B9 an unknown argument is named in one bounded line of printable characters (%j)', async (name, shown) => {
    const { texts } = await host.call('discovery_list_merchants', { [name]: 1 })
    expect(texts).toEqual([`discovery_list_merchants failed: invalid arguments: ${shown}: unknown argument`])
  })

  test('an agent that is not registered cannot pay', async () => {
    const { isError, texts } = await host.call('agent_payment_initiate', payment)
    expect(isError).toBe(true)
    expect(texts[0]).toBe('agent_payment_initiate failed: agent not registered yet')
    expect(existsSync(home)).toBe(false)
  })

  test.each([
    [{ ...payment, merchant_base_api: undefined }, 'merchant_base_api or merchant_verify_url is required'],
    [{ ...payment, merchant_domain: 'evil.example' }, 'merchant_domain is not the host of merchant_url'],
  ])('a payment that contradicts itself is refused', async (args, detail) => {
    expect((await host.call('agent_payment_initiate', args)).texts[0]).toBe(`agent_payment_initiate failed: ${detail}`)
  })

  test('a directory that is not there is a failed fetch', async () => {
    const lost = await ToolHost.start(home, { env: { COUNTERSIGN_DISCOVERY_URL: 'http://127.0.0.1:1' } })
    const { texts } = await lost.call('discovery_list_merchants')
    expect(texts[0]).toBe('discovery_list_merchants failed: fetch failed')
    await lost.close()
  })
})

describe('discovery', () => {
  let directory: Server
  let reader: ToolHost
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
    reader = await ToolHost.start(home, { env: { COUNTERSIGN_DISCOVERY_URL: `http://127.0.0.1:${port}/` } })
  })

  afterAll(async () => {
    await reader.close()
    directory.close()
  })

  test('B29, B31 the directory of COUNTERSIGN_DISCOVERY_URL: verified merchants only, and its total as it says', async () => {
    const args = { country: 'DE', q: 'books & more', page: 1 }
    const { data, texts } = await reader.call('discovery_list_merchants', args)
    expect(lastUrl).toBe('/merchants?country=DE&q=books+%26+more&page=1')
    expect(data).toEqual({ merchants: [entry], page: 1, page_size: 20, total: 2 })
    expect(JSON.parse(texts[0] ?? '')).toEqual(data)
  })

  test('names status and code of a refusal', async () => {
    const { texts } = await reader.call('agent_browse_merchant', { merchant_id: '../a' })
    expect(lastUrl).toBe('/merchants/..%2Fa/catalog-preview')
    expect(texts).toEqual(['agent_browse_merchant failed: 429 rate_limited', 'Wait before asking again.'])
  })
})

describe('the process', () => {
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, [BIN, ...args], { env: { NODE_ENV: 'test', COUNTERSIGN_HOME: home } })
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
