/** What the operator sees of retention: how many rows there are, and when the oldest goes. */
import { expect, test } from 'vitest'
import { retention } from '@/server/base/core/retention'
import { readyAgent, withApp } from '../oauth/setup'
import { exchange, must, operate } from '../support/actors'
import type { App } from '../support/app'

let app: App
withApp((started) => {
  app = started
})

interface Kind {
  readonly kind: string
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly kept: number | string
  readonly oldest_goes_at: string | null
}

test('the operator sees the rows of each kind, and when the oldest goes', async () => {
  const agent = await readyAgent(app)
  const before = app.clock.now().getTime()
  must(await agent.push((await agent.purchase()).form), 201)
  const { retention: kinds } = must(await operate<{ retention: Kind[] }>(app, 'GET', '/retention'), 200)
  expect(kinds.map(({ kind }) => kind)).toEqual(Object.keys(retention))
  const pushed = kinds.find(({ kind }) => kind === 'pushedRequests')
  expect(pushed).toMatchObject({ tables: [{ table: 'pushed_requests', rows: 1 }], kept: 86_400 })
  const goesIn = (new Date(pushed?.oldest_goes_at ?? 0).getTime() - before) / 1_000
  expect(Math.round(goesIn)).toBeGreaterThanOrEqual(86_400 + 60)
  expect(goesIn).toBeLessThan(86_400 + 120)
  const profile = kinds.find(({ kind }) => kind === 'profile')
  expect(profile).toMatchObject({ kept: 'until_erased', oldest_goes_at: null })
  expect(profile?.tables[0]?.rows).toBeGreaterThan(0)
})

test('nobody but the operator sees it', async () => {
  expect((await exchange(`${app.baseUrl}/operator/retention`)).status).toBe(401)
})
