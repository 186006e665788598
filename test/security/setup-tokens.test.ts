/** Decision G53: setup tokens and registrations are bounded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, newPrincipal, operate } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp({ env: { REGISTRATIONS_PER_MINUTE: '5' } })
})
afterAll(() => app.close())

const mint = (principalId: string) => operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: principalId })

describe('setup tokens', () => {
  test('G53 twenty of one person wait at most, however many are asked for at once', async () => {
    const { principalId } = await newPrincipal(app)
    const replies = await Promise.all(Array.from({ length: 30 }, () => mint(principalId)))
    const statuses = replies.map(({ status }) => status)
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([20, 10])
    const refused = replies.find(({ status }) => status === 429)
    expect(refused?.json['error']).toBe('rate_limited')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(86_000)
    const another = await newPrincipal(app)
    expect((await mint(another.principalId)).status, 'another person is not concerned').toBe(201)
    app.clock.advance({ seconds: 86_401 })
    expect((await mint(principalId)).status, 'those that expired do not count').toBe(201)
  })

  test('G53 an address registers as often as REGISTRATIONS_PER_MINUTE says', async () => {
    const register = () =>
      exchange(`${app.baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    const statuses: number[] = []
    for (let turn = 0; turn < 7; turn += 1) statuses.push((await register()).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
  })
})
