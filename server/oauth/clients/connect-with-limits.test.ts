import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newKey } from '@/test/support/actors'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { AnonymousCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { listLimitChanges, readAgentLimits } from '../../wallet/limits'
import { cancelSetupToken, createPlannedSetupToken, registerClient } from './index'

let money: MoneyFixture
let person: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  person = await money.person({ card: null })
})
afterAll(() => money.close())

const LIMITS = { currency: 'EUR', daily_cap_minor: 5_000, velocity_count: 5, velocity_window_seconds: 3_600 }
const connect = (limits?: object) =>
  createPlannedSetupToken(
    money.wallet(person),
    {
      name: 'Claude Code on ada-mbp',
      purpose: '',
      scope: 'oid4ac:payment payment:execute',
      ...(limits !== undefined && { limits }),
    },
    'magic_link',
  )

async function register(token: string): Promise<string> {
  const { jwk } = await newKey()
  const call: AnonymousCall = {
    platform: money.platform,
    requestId: 'request',
    now: money.clock.now(),
    actor: { kind: 'anonymous' },
  }
  const client = await registerClient.verb(call, {
    setup_token: token,
    redirect_uris: ['http://127.0.0.1:8765/oid4ac/callback'],
    jwks: { keys: [jwk] },
    scope: 'oid4ac:payment payment:execute',
  })
  return 'client_id' in client ? String(client.client_id) : ''
}

const limitsOf = (clientId: string) => readAgentLimits.verb(money.wallet(person), { client_id: clientId })

describe('an agent that is connected with limits', () => {
  test('an agent that is connected with limits has them from the start, and its history says where they come from', async () => {
    const { setup_token: token } = await connect(LIMITS)
    const clientId = await register(token)
    expect(await limitsOf(clientId)).toMatchObject({ ...LIMITS, single_txn_cap_minor: null })
    const owner = { principalId: person.principalId, clientId }
    expect(await listLimitChanges(money.platform.db, owner, 50)).toMatchObject([
      { kind: 'connect', via: 'portal', before: null, after: { dailyCapMinor: 5_000 } },
    ])
  })

  test('an agent that is connected with limits is registered once, with parallel requests too, and then has them once', async () => {
    const { setup_token: token } = await connect(LIMITS)
    const before = await money.count('agent_limits', sql`principal_id = ${person.principalId}`)
    const outcomes = await Promise.allSettled([register(token), register(token), register(token)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await money.count('agent_limits', sql`principal_id = ${person.principalId}`)).toBe(before + 1)
  })

  test('an agent that is connected with limits leaves nothing behind when the code was cancelled', async () => {
    const { id, setup_token: token } = await connect(LIMITS)
    await cancelSetupToken(money.wallet(person), { id })
    const before = await money.count('limit_changes', sql`principal_id = ${person.principalId}`)
    await expect(register(token)).rejects.toMatchObject({ code: 'invalid_software_statement' })
    expect(await money.count('limit_changes', sql`principal_id = ${person.principalId}`)).toBe(before)
  })

  test('an agent that is connected without limits has none of its own', async () => {
    const { setup_token: token } = await connect()
    expect(await limitsOf(await register(token))).toBeNull()
  })

  test.each([
    [{ daily_cap_minor: -1, currency: 'EUR' }, 'daily_cap_minor'],
    [{ velocity_count: -1 }, 'velocity_count'],
  ])('limits of %j are refused before there is a setup token', async (limits, field) => {
    await expect(connect(limits)).rejects.toMatchObject({ issues: [{ loc: ['body', field] }] })
  })
})
