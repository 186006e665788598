import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from '../support/app'
import { startFirstHost } from './hosts'
import { decideAll, type Household, newHousehold, orderBook, register } from './shop'
import { BIN } from './tool-host'

type Message = Readonly<Record<string, unknown>>

/** What each request of revision 2026-07-28 says of its host. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const initialize = (protocolVersion: string, capabilities: Message = {}) => ({
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 'wire', version: '1' } },
})

/** The tool server with bare lines in and out. */
function startServer(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, 'serve'], {
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const messages: Message[] = []
  let wake = () => {}
  let rest = ''
  child.stdout.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    // Whatever is no JSON fails the test here: stdout belongs to the protocol.
    for (const line of lines) messages.push(JSON.parse(line))
    wake()
  })
  const send = (message: Message | string) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  /** Resolves once the server has taken the text. */
  const write = (text: string) => new Promise<void>((resolve) => void child.stdin.write(text, () => resolve()))
  const residentMegabytes = () =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1_024
  const until = async (isIt: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = messages.find(isIt)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const ask = (message: Message) => {
    send(message)
    return until(({ id, method }) => id === message['id'] && method === undefined)
  }
  const end = async () => {
    const startedAt = performance.now()
    child.stdin.end()
    return { code: await ended, milliseconds: performance.now() - startedAt }
  }
  return { messages, send, write, residentMegabytes, until, ask, end }
}

let home: string
beforeAll(async () => {
  home = path.join(await mkdtemp(path.join(os.tmpdir(), 'countersign-wire-')), 'home')
})

describe('B39 the opening', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('initialize of %s is answered with %s', async (asked, answered) => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    const { result } = await server.ask(initialize(asked))
    expect(result).toMatchObject({ protocolVersion: answered, capabilities: { tools: {} } })
    await server.end()
  })

  test('server/discover names the newer revision, and a host that then initializes is served the older one', async () => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    const { result } = await server.ask({ id: 1, method: 'server/discover', params: { _meta: ENVELOPE } })
    expect(result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    const { result: second } = await server.ask(initialize('2025-06-18'))
    expect(second).toMatchObject({ protocolVersion: '2025-06-18' })
    await server.end()
  })

  test('a request of the newer revision needs no opening, and each says for itself what its host can do', async () => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    const { result } = await server.ask({ id: 1, method: 'tools/list', params: { _meta: ENVELOPE } })
    expect(result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'agent_register' })]),
    })
    const { error } = await server.ask({ id: 2, method: 'tools/list', params: {} })
    expect(error).toMatchObject({ code: -32602 })
    await server.end()
  })
})

describe('B39 calls that are not understood', () => {
  const generations = [
    ['2025-11-25', {}],
    ['2026-07-28', { _meta: ENVELOPE }],
  ] as const

  test.each(generations)('in %s', async (revision, meta) => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    if (revision === '2025-11-25') await server.ask(initialize(revision))
    const call = (id: number, params: Message) =>
      server.ask({ id, method: 'tools/call', params: { ...meta, ...params } })
    const unknown = await call(1, { name: 'agent_steal', arguments: {} })
    const nameless = await call(2, { arguments: {} })
    const shapeless = await call(3, { name: 'agent_register', arguments: 'all' })
    for (const { error } of [unknown, nameless, shapeless]) expect(error).toMatchObject({ code: -32602 })
    const { result } = await call(4, { name: 'agent_register', arguments: { setup_token: 7 } })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^agent_register failed: invalid arguments: setup_token: /) }],
    })
    await server.end()
  })

  test('bad lines are skipped', async () => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    for (const line of ['', 'hello', '[]', '{"jsonrpc":"1.0","id":1}', '{"jsonrpc":"2.0","id":2', 'null'])
      server.send(line)
    await server.ask(initialize('2025-11-25'))
    server.send('{"jsonrpc":"2.0","method":')
    expect((await server.ask({ id: 3, method: 'ping' }))['result']).toEqual({})
    expect(server.messages).toHaveLength(2)
    expect((await server.end()).code).toBe(0)
    expect(existsSync(home)).toBe(false)
  })

  test('a line that is too long is skipped and not kept, and the server goes on', async () => {
    const server = startServer({ COUNTERSIGN_HOME: home })
    await server.ask(initialize('2025-11-25'))
    const before = server.residentMegabytes()
    const padding = 'x'.repeat(1_048_576)
    await server.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"padding":"')
    for (let megabytes = 0; megabytes < 300; megabytes += 1) await server.write(padding)
    expect(server.residentMegabytes() - before).toBeLessThan(150)
    await server.write('"}}\n')
    expect((await server.ask({ id: 2, method: 'ping' }))['result']).toEqual({})
    const longest = { id: 3, method: 'ping', params: { padding: '' } }
    const room = 10_485_760 - `${JSON.stringify({ jsonrpc: '2.0', ...longest })}\n`.length
    expect((await server.ask({ ...longest, params: { padding: 'x'.repeat(room) } }))['result']).toEqual({})
    server.send({ ...longest, id: 4, params: { padding: 'x'.repeat(room + 1) } })
    expect((await server.ask({ id: 5, method: 'ping' }))['result']).toEqual({})
    expect(server.messages.map(({ id }) => id)).toEqual(['initialize', 2, 3, 5])
    expect((await server.end()).code).toBe(0)
  })
})

describe('a wait for the person', () => {
  let app: App
  let household: Household
  let args: Message
  beforeAll(async () => {
    app = await startApp()
    household = await newHousehold(app)
    const host = await startFirstHost({ home: household.home, asUrl: app.baseUrl })
    await register(host, app, household)
    args = await orderBook(host)
    await host.close()
  })
  afterAll(() => app.close())

  const startBuying = async () => {
    const server = startServer({ COUNTERSIGN_HOME: household.home, COUNTERSIGN_AS_URL: app.baseUrl })
    await server.ask(initialize('2025-11-25', { elicitation: { url: {} } }))
    server.send({ method: 'notifications/initialized' })
    server.send({ id: 'pay', method: 'tools/call', params: { name: 'agent_payment_initiate', arguments: args } })
    const question = await server.until(({ method }) => method === 'elicitation/create')
    return { server, question }
  }
  const cancellations = (messages: readonly Message[]) =>
    messages.filter(({ method }) => method === 'notifications/cancelled')

  const completions = (messages: readonly Message[]) =>
    messages.filter(({ method }) => method === 'notifications/elicitation/complete').map(({ params }) => params)

  test('ends within 500 ms when the host goes away', async () => {
    const { server } = await startBuying()
    const { code, milliseconds } = await server.end()
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(500)
    expect(await household.person.pending()).toHaveLength(1)
  })

  test('B38 gets no answer once it is cancelled, and takes its open question back', async () => {
    const { server, question } = await startBuying()
    server.send({ method: 'notifications/cancelled', params: { requestId: 'pay' } })
    const { params } = await server.until(({ method }) => method === 'notifications/cancelled')
    expect(params).toMatchObject({ requestId: question['id'] })
    await server.ask({ id: 'after', method: 'ping' })
    await server.end()
    expect(server.messages.filter(({ id }) => id === 'pay')).toEqual([])
    expect(completions(server.messages)).toEqual([])
  })

  test('calls no question complete that ended without a decision', async () => {
    const { server, question } = await startBuying()
    server.send({ id: question['id'], result: { action: 'cancel' } })
    const { result } = await server.until(({ id }) => id === 'pay')
    expect(result).toMatchObject({ structuredContent: { status: 'step_up_required' } })
    await server.ask({ id: 'after', method: 'ping' })
    await server.end()
    expect(completions(server.messages)).toEqual([])
  })

  test('B38 cancels no question that was answered, and calls it complete once the person has decided', async () => {
    const { server, question } = await startBuying()
    server.send({ id: question['id'], result: { action: 'accept' } })
    await decideAll(household, 'approve')
    const { result } = await server.until(({ id }) => id === 'pay')
    expect(result).toMatchObject({ structuredContent: { status: 'paid' } })
    await server.ask({ id: 'after', method: 'ping' })
    await server.end()
    expect(cancellations(server.messages)).toEqual([])
    const { elicitationId } = question['params'] as Message
    expect(completions(server.messages)).toEqual([{ elicitationId }])
  })
})
