import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent, exchange, newPrincipal, operate } from '../actors'
import { type App, startApp } from '../app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const kids = async () =>
  (await exchange<{ keys: { kid: string }[] }>(`${app.baseUrl}/oauth/jwks.json`)).json.keys.map(({ kid }) => kid)

test('J6, K2 rotating keys between token and settlement fails nothing, and the new keys were published before', async () => {
  const agent = await Agent.register(app, (await newPrincipal(app, { approval_rule: 'above_limits' })).principalId)
  const before = await agent.buy()
  const published = await kids()
  const rotation = await operate<{ rotated: { purpose: string; current: string }[] }>(
    app,
    'POST',
    '/signing-keys/rotate',
    {},
  )
  expect(rotation.status).toBe(200)
  expect(rotation.json.rotated.map(({ current }) => published.includes(current))).not.toContain(false)
  expect(await kids()).toEqual(expect.arrayContaining(published))
  const after = await agent.buy()
  for (const [index, tokens] of [before, after].entries()) {
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, `rotated-${index}`)).status).toBe(200)
  }
})
