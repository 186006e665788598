import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

let app: App
beforeAll(async () => {
  buildToolServer()
  app = await startApp()
})
afterAll(() => app.close())

test.each([
  ['openai-agents', 'openaiModel'],
  ['vercel-ai', 'vercelModel'],
  ['langgraph', 'langchainModel'],
])('%s browses, is told to ask the person, and pays once they have approved', async (name, modelName) => {
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

  const pay = { name: 'agent_payment_initiate', args: order }
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
