import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../../base/core/sql'
import { readStoredSettings } from '../../../shared/principals'
import { saveLimits, startLimits } from '../../../wallet/limits'
import { erase } from '../../privacy'
import { leaveWelcome } from './leave-welcome'
import { readWelcome } from './read-welcome'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

/** Returns a person with the starting limits and nothing else. */
async function newcomer(): Promise<Person> {
  const person = await fixture.person({ card: null })
  const { platform, clock } = fixture
  const { principalId } = person
  await platform.db.query(sql`UPDATE clients SET revoked_at = ${clock.now()} WHERE principal_id = ${principalId}`)
  const start = { principalId, currency: 'EUR' }
  await platform.db.transaction((tx) => startLimits(tx, { platform, now: clock.now() }, start))
  return person
}

const NONE = { passkey: false, card: false, limits: false, agent: false }
const LIMITS = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }

describe('the set-up of the first day', () => {
  test('the set-up of a newcomer has nothing done, and their limits are the starting ones', async () => {
    const ada = await newcomer()
    expect(await readWelcome(fixture.wallet(ada))).toEqual({ steps: NONE, begun: false, left: false })
  })

  test('the set-up counts what there is, wherever it was set up', async () => {
    const ada = await fixture.person()
    const steps = { ...NONE, card: true, agent: true }
    expect(await readWelcome(fixture.wallet(ada))).toEqual({ steps, begun: true, left: false })
  })

  test('the set-up counts limits once the person has saved them, also unchanged', async () => {
    const ada = await newcomer()
    fixture.clock.advance(1)
    await saveLimits.verb(fixture.wallet(ada), LIMITS)
    expect(await readWelcome(fixture.wallet(ada))).toMatchObject({ steps: { ...NONE, limits: true }, begun: true })
  })

  test('the set-up asks for no passkey where the address allows none', async () => {
    const ada = await newcomer()
    const { config } = fixture.platform
    const platform = { ...fixture.platform, config: { ...config, baseUrl: 'http://192.0.2.1:3000' } }
    const steps = { ...NONE, passkey: true }
    expect(await readWelcome(fixture.wallet(ada, platform))).toMatchObject({ steps, begun: false })
  })

  test('the set-up is left by its person alone, and the first time is kept', async () => {
    const [ada, eve] = [await newcomer(), await newcomer()]
    const first = fixture.clock.now()
    await leaveWelcome(fixture.wallet(ada))
    fixture.clock.advance(60)
    await leaveWelcome(fixture.wallet(ada))
    expect(await readWelcome(fixture.wallet(ada))).toMatchObject({ left: true })
    expect(await readWelcome(fixture.wallet(eve))).toMatchObject({ left: false })
    expect(await readStoredSettings(fixture.platform.db, ada.principalId)).toMatchObject({ setup_left_at: first })
  })

  test('the set-up keeps nothing of a person who was erased', async () => {
    const ada = await newcomer()
    const call = fixture.wallet(ada)
    await leaveWelcome(call)
    await erase.verb(call)
    await leaveWelcome(call)
    expect(await readStoredSettings(fixture.platform.db, ada.principalId)).toMatchObject({ setup_left_at: null })
  })
})
