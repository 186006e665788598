import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { listRequests, readDevelopers } from './read-developers'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

describe('the page for developers', () => {
  test('lists what can be tried in the sandbox, and nothing outside it', async () => {
    const ada = await fixture.person()
    const inSandbox = await readDevelopers(fixture.wallet(ada))
    expect(inSandbox.endpoints.map(({ url }) => url)).toContain(
      `${fixture.platform.config.baseUrl}/.well-known/oauth-authorization-server`,
    )
    expect(inSandbox.sandbox?.merchants.map(({ name }) => name)).toContain('Tallow Books')
    expect(inSandbox.sandbox?.amounts).toContainEqual({ amount_minor: 402_001, behaviour: 'generic_decline' })
    expect(inSandbox.sandbox?.cards).not.toEqual([])
    const live = { ...fixture.platform, config: { ...fixture.platform.config, sandbox: false } }
    expect((await readDevelopers(fixture.wallet(ada, live))).sandbox).toBeNull()
    expect(await listRequests(fixture.wallet(ada, live))).toEqual({ kept: false, requests: [] })
  })
})
