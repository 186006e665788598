import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, startApp } from '../support/app'
import { type HostOptions, type OnPage, startFirstHost, startModernHost, type TestHost } from './hosts'
import { decideAll, type Household, newHousehold, orderBook, register } from './shop'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Start = (options: HostOptions) => Promise<TestHost>

const hosts: readonly (readonly [string, string, Start])[] = [
  ['the first SDK', '2025-11-25', startFirstHost],
  ['the second SDK as it is', '2025-11-25', (options) => startModernHost(options, 'legacy')],
  ['the second SDK that looks first', '2026-07-28', (options) => startModernHost(options, 'auto')],
  ['the second SDK alone', '2026-07-28', (options) => startModernHost(options, { pin: '2026-07-28' })],
]

describe.each(hosts)('B39 %s speaks %s', (_name, revision, start) => {
  let household: Household
  let host: TestHost
  /** What the person does with a page that the host opens. */
  let onPage: OnPage = async () => 'cancel'
  beforeAll(async () => {
    household = await newHousehold(app)
    host = await start({ home: household.home, asUrl: app.baseUrl, onPage: (url) => onPage(url) })
  })
  afterAll(() => host.close())

  /** Each test buys another book: the same one again would be the same purchase. */
  const pay = async (book: number) => host.call({ name: 'agent_payment_initiate', args: await orderBook(host, book) })
  const approve: OnPage = async () => {
    await decideAll(household, 'approve')
    return 'accept'
  }

  test('and looks at the tools without leaving a trace', async () => {
    expect(host.revision).toBe(revision)
    expect(host.serverName).toBe('@countersign/tools')
    expect((await host.listTools()).map(({ name }) => name)).toContain('agent_payment_initiate')
    expect(existsSync(household.home)).toBe(false)
    await register(host, app, household)
  })

  test('and pays once the person has approved on the page that it opened', async () => {
    const pages: string[] = []
    onPage = (url) => {
      pages.push(url)
      return approve(url)
    }
    const { data, texts } = await pay(0)
    expect(data, texts.join()).toMatchObject({ status: 'paid' })
    expect(pages).toEqual([expect.stringMatching(new RegExp(`^${app.baseUrl}/approve/[\\w-]{22}$`))])
  })

  test('and B16 ends the purchase that the person declines in it', async () => {
    onPage = async () => 'decline'
    const { isError, data } = await pay(1)
    expect(isError).toBe(false)
    expect(data).toEqual({ status: 'declined', error: { code: 'consent_denied' } })
  })

  test('and B38 goes on with the same call after the person closed the question', async () => {
    onPage = async () => 'cancel'
    expect((await pay(2)).data).toMatchObject({ status: 'step_up_required' })
    onPage = approve
    expect((await pay(2)).data).toMatchObject({ status: 'paid' })
  })

  test('and is told what is wrong with a call', async () => {
    await expect(host.call({ name: 'agent_steal', args: {} })).rejects.toMatchObject({ code: -32602 })
    const { isError, texts } = await host.call({ name: 'agent_browse_merchant', args: { merchant: 'x' } })
    expect(isError).toBe(true)
    expect(texts[0]).toMatch(/^agent_browse_merchant failed: invalid arguments: merchant_id: /)
  })

  test('and B38 may stop the wait that it is told about', async () => {
    const buyer = await newHousehold(app)
    const plain = await start({ home: buyer.home, asUrl: app.baseUrl })
    await register(plain, app, buyer)
    const stop = new AbortController()
    const messages: string[] = []
    const onProgress = (message: string) => {
      messages.push(message)
      stop.abort()
    }
    const call = { name: 'agent_payment_initiate', args: await orderBook(plain) }
    await expect(plain.call({ ...call, onProgress, signal: stop.signal })).rejects.toThrow()
    const question = /^Approve EUR [\d.]+ to \S+: open \S+\/approve\/\S+ — the page must show the code \d\d\.$/
    expect(messages[0]).toMatch(question)
    await decideAll(buyer, 'approve')
    expect((await plain.call(call)).data).toMatchObject({ status: 'paid' })
    await plain.close()
  })
})
