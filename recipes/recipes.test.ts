import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type App, startApp } from '../test/support/app'
import { startFirstHost } from '../test/tool-server/hosts'
import { decideAll, newHousehold, orderBook, register } from '../test/tool-server/shop'
import { BIN, buildToolServer } from '../test/tool-server/tool-host'

interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}
type MakeModel = (script: readonly Call[]) => unknown
interface Recipe {
  doTask(task: string, options: { readonly model: unknown; readonly server: object }): Promise<string>
}

const WITHIN_MS = 20_000
const BEYOND_A_MINUTE_MS = 61_000

let app: App
beforeAll(async () => {
  buildToolServer()
  app = await startApp()
})
afterAll(() => app.close())

/** An agent of a new person that has an order, in the framework of the recipe. */
async function newShopper(name: string, modelName: string) {
  const recipe: Recipe = await import(`./${name}.mjs`)
  const models: Readonly<Record<string, MakeModel>> = await import('./scripted-models.mjs')
  const household = await newHousehold(app)
  const host = await startFirstHost({ home: household.home, asUrl: app.baseUrl })
  await register(host, app, household)
  const order = await orderBook(host)
  await host.close()
  const env = { PATH: process.env['PATH'], COUNTERSIGN_HOME: household.home, COUNTERSIGN_AS_URL: app.baseUrl }
  const server = { command: process.execPath, args: [BIN, 'serve'], env }
  const doTask = (script: readonly Call[]) =>
    recipe.doTask('Buy the book on my list.', { model: models[modelName]?.(script), server })
  return { household, order, pay: { name: 'agent_payment_initiate', args: order }, doTask }
}

describe.each([
  ['openai-agents', 'openaiModel'],
  ['vercel-ai', 'vercelModel'],
  ['langgraph', 'langchainModel'],
])('%s', (name, modelName) => {
  afterEach(() => vi.useRealTimers())

  test('browses, is told to ask the person, and pays once they have approved', async () => {
    const { household, order, pay, doTask } = await newShopper(name, modelName)
    const first = await doTask([
      { name: 'agent_browse_merchant', args: { merchant_id: 'tallow-books' } },
      { ...pay, args: { ...order, consent_poll_timeout_seconds: 1 } },
    ])
    expect(first).toContain('step_up_required')
    expect(first).toContain('/approve/')
    await decideAll(household, 'approve')
    expect(await doTask([pay])).toContain('paid')
    const { json } = await household.person.call('GET', '/wallet/payment-history')
    expect(json).toMatchObject({ total_count: 1 })
    await rm(path.dirname(household.home), { recursive: true })
  })

  test('waits for a payment longer than the minute that clients wait by themselves', async () => {
    const { household, pay, doTask } = await newShopper(name, modelName)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const told = doTask([pay])
    await vi.waitFor(async () => expect(await household.person.pending()).toHaveLength(1), { timeout: WITHIN_MS })
    vi.advanceTimersByTime(BEYOND_A_MINUTE_MS)
    await decideAll(household, 'approve')
    expect(await told).toContain('paid')
    await rm(path.dirname(household.home), { recursive: true })
  })
})
