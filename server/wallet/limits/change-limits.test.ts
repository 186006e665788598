import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { addPasskey } from '@/test/support/passkey-holder'
import { withToken } from '@/test/support/wallet-token'
import type { WalletCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { FRESH_SESSION_SECONDS } from '../../identity/passkeys/contract'
import {
  approveLimitBump,
  declineLimitBump,
  listLimitBumps,
  listLimitChanges,
  openBumpOfSettlement,
  readAgentLimits,
  readLimits,
  saveAgentLimits,
  saveLimits,
  undoLowering,
} from '.'
import { UNDO_SECONDS } from './contract'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const LOW = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }
const LOWER = { ...LOW, daily_cap_minor: 1_000 }
const HIGH = { ...LOW, daily_cap_minor: 9_000 }
const UNSET = {
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  velocity_count: null,
  velocity_window_seconds: null,
  time_zone: 'UTC',
}
const whole = (limits: object) => ({ ...UNSET, ...limits })
const stepUp = (way: 'passkey' | 'sign_in') => ({ code: 'step_up_required', status: 403, members: { way } })
const insufficient = { code: 'insufficient_user_authentication', status: 401 }
const conflict = { code: 'conflict', status: 409 }

/** Returns a call in a session whose authentication is too old for a raise without step-up. */
function oldSession(person: Person, id = 'old'): WalletCall {
  const call = money.wallet(person)
  const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
  return { ...call, actor: { ...call.actor, session: { id, method: 'magic_link', authenticatedAt } } }
}

const byToken = (person: Person): WalletCall => withToken(money.wallet(person))
/** Returns a call with a token that was granted by rule, without asking the person. */
const byRule = (person: Person): WalletCall => withToken(money.wallet(person), { acr: 'rule' })

const stored = (person: Person) => readLimits.verb(money.wallet(person))
const kinds = async (person: Person, clientId: string | null = null) => {
  const owner = { principalId: person.principalId, clientId }
  return (await listLimitChanges(money.platform.db, owner, 50)).map(({ kind }) => kind)
}

describe('saving in the portal', () => {
  test('first limits and lower ones need nothing but a session', async () => {
    const person = await money.person({ card: null })
    const first = await saveLimits.verb(oldSession(person), LOW)
    expect(first).toMatchObject({ ...LOW, undo: expect.any(String) })
    expect(await saveLimits.verb(oldSession(person), LOWER)).toMatchObject(LOWER)
  })

  test('saving the same limits again succeeds and offers nothing to undo', async () => {
    const person = await money.person({ card: null })
    await saveLimits.verb(oldSession(person), LOW)
    expect(await saveLimits.verb(oldSession(person), LOW)).toMatchObject({ ...LOW, undo: null })
    expect(await kinds(person)).toEqual(['save'])
  })

  test('a raise needs a session that was opened just now', async () => {
    const person = await money.person({ card: null })
    await saveLimits.verb(oldSession(person), LOW)
    await expect(saveLimits.verb(oldSession(person), HIGH)).rejects.toMatchObject(stepUp('sign_in'))
    expect(await stored(person)).toMatchObject(LOW)
    expect(await saveLimits.verb(money.wallet(person), HIGH)).toMatchObject({ ...HIGH, undo: null })
  })

  test('a raise needs the passkey of a person who has one, over exactly the new limits', async () => {
    const person = await money.person({ card: null })
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    await saveLimits.verb(call, LOW)
    await expect(saveLimits.verb(call, HIGH)).rejects.toMatchObject(stepUp('passkey'))
    const confirm = (limits: object, clientId: string | null = null) =>
      passkey.confirm(call, { purpose: 'limits.raise', subject: { client_id: clientId, limits: whole(limits) } })
    for (const proof of [await confirm({ ...HIGH, daily_cap_minor: 8_999 }), await confirm(HIGH, person.agentId)]) {
      await expect(saveLimits.verb(call, { ...HIGH, proof })).rejects.toMatchObject(stepUp('passkey'))
    }
    const proof = await confirm(HIGH)
    expect(await saveLimits.verb(call, { ...HIGH, proof })).toMatchObject(HIGH)
    await saveLimits.verb(call, LOW)
    await expect(saveLimits.verb(call, { ...HIGH, proof })).rejects.toMatchObject(stepUp('passkey'))
  })

  test("an agent's own limits follow the same rules, and foreign agents look unknown", async () => {
    const [person, other] = [await money.person({ card: null }), await money.person({ card: null })]
    const old = oldSession(person)
    const mine = { client_id: person.agentId }
    await saveAgentLimits.verb(old, { ...mine, ...LOW })
    await expect(saveAgentLimits.verb(old, { ...mine, ...HIGH })).rejects.toMatchObject(stepUp('sign_in'))
    expect(await saveAgentLimits.verb(money.wallet(person), { ...mine, ...HIGH })).toMatchObject(HIGH)
    expect(await kinds(person, person.agentId)).toEqual(['save', 'save'])
    expect(await kinds(person)).toEqual([])
    for (const clientId of [other.agentId, 'unknown']) {
      const foreign = saveAgentLimits.verb(old, { client_id: clientId, ...LOW })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found', description: 'There is no such agent.' })
    }
  })

  test('a raise at the same time as a lowering is judged by the limits at the moment of the raise', async () => {
    const person = await money.person({ card: null })
    await saveLimits.verb(oldSession(person), HIGH)
    const [lowered, kept] = await Promise.allSettled([
      saveLimits.verb(oldSession(person), LOWER),
      saveLimits.verb(oldSession(person), LOW),
    ])
    expect(lowered.status).toBe('fulfilled')
    // In either order: LOW after LOWER is a raise and refused, LOWER after LOW is no raise.
    expect(await stored(person)).toMatchObject({ daily_cap_minor: LOWER.daily_cap_minor })
    if (kept.status === 'rejected') expect(kept.reason).toMatchObject(stepUp('sign_in'))
  })
})

describe('undoing a lowering', () => {
  const lower = async (person: Person) => {
    await saveLimits.verb(oldSession(person), LOW)
    return (await saveLimits.verb(oldSession(person), LOWER)).undo ?? ''
  }

  test('undoing a lowering restores the limits before it, in the same session, once', async () => {
    const person = await money.person({ card: null })
    const change = { change_id: await lower(person) }
    await undoLowering(oldSession(person), change)
    expect(await stored(person)).toMatchObject(LOW)
    await expect(undoLowering(oldSession(person), change)).rejects.toMatchObject(conflict)
    expect(await kinds(person)).toEqual(['undo', 'save', 'save'])
  })

  test('undoing the first limits leaves none', async () => {
    const person = await money.person({ card: null })
    const { undo } = await saveLimits.verb(oldSession(person), LOW)
    await undoLowering(oldSession(person), { change_id: undo ?? '' })
    expect(await stored(person)).toBeNull()
    const own = await saveAgentLimits.verb(oldSession(person), { client_id: person.agentId, ...LOW })
    await undoLowering(oldSession(person), { change_id: own.undo ?? '' })
    expect(await readAgentLimits.verb(money.wallet(person), { client_id: person.agentId })).toBeNull()
  })

  test.each<[string, (person: Person) => Promise<unknown>, (person: Person) => WalletCall]>([
    ['another session', () => Promise.resolve(), (person) => oldSession(person, 'another')],
    ['a wallet token', () => Promise.resolve(), byToken],
    ['something changed since', (person) => saveLimits.verb(byToken(person), LOWER), oldSession],
    ['it is too late', () => Promise.resolve(money.clock.advance(UNDO_SECONDS + 1)), oldSession],
  ])('undoing a lowering is refused: %s', async (_why, meanwhile, caller) => {
    const person = await money.person({ card: null })
    const id = await lower(person)
    await meanwhile(person)
    await expect(undoLowering(caller(person), { change_id: id })).rejects.toMatchObject(conflict)
    expect(await stored(person)).toMatchObject(LOWER)
  })

  test('undoing is refused for a raise', async () => {
    const person = await money.person({ card: null })
    await saveLimits.verb(money.wallet(person), LOW)
    await saveLimits.verb(money.wallet(person), HIGH)
    const owner = { principalId: person.principalId, clientId: null }
    const last = async () => (await listLimitChanges(money.platform.db, owner, 1))[0]?.id ?? ''
    await expect(undoLowering(money.wallet(person), { change_id: await last() })).rejects.toMatchObject(conflict)
  })

  test("another person's change of limits looks unknown", async () => {
    const [person, other] = [await money.person({ card: null }), await money.person({ card: null })]
    const id = await lower(person)
    for (const changeId of [id, 'unknown']) {
      const foreign = undoLowering(oldSession(other), { change_id: changeId })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found', description: 'There is no such change.' })
    }
  })
})

describe('the history', () => {
  test('the history says what changed, when and from where, newest first', async () => {
    const person = await money.person({ card: null })
    await saveLimits.verb(byToken(person), LOW)
    money.clock.advance(60)
    await saveLimits.verb(oldSession(person), LOWER)
    const owner = { principalId: person.principalId, clientId: null }
    const changes = await listLimitChanges(money.platform.db, owner, 50)
    expect(changes).toMatchObject([
      {
        kind: 'save',
        via: 'portal',
        createdAt: money.clock.now(),
        before: { dailyCapMinor: 5_000 },
        after: { dailyCapMinor: 1_000 },
      },
      { kind: 'save', via: 'token', before: null, sessionHash: null },
    ])
    expect(changes[0]?.sessionHash).not.toBe('old')
    expect(await listLimitChanges(money.platform.db, owner, 1)).toHaveLength(1)
  })

  test('the history has no entry for a change that did not happen', async () => {
    const person = await money.person({ card: null })
    await expect(saveLimits.verb(byToken(person), { daily_cap_minor: -1, currency: 'EUR' })).rejects.toThrow()
    await saveLimits.verb(oldSession(person), LOW)
    await expect(saveLimits.verb(oldSession(person), HIGH)).rejects.toThrow()
    expect(await money.count('limit_changes', sql`principal_id = ${person.principalId}`)).toBe(1)
  })
})

describe('with a wallet token', () => {
  test('B8 a wallet token of which nobody was asked lowers and does not raise limits, and a confirmed one does both', async () => {
    const person = await money.person({ card: null })
    for (const isConfirmed of [false, true]) {
      const caller = isConfirmed ? byToken(person) : byRule(person)
      const own = (limits: object) => saveAgentLimits.verb(caller, { client_id: person.agentId, ...limits })
      const all = (limits: object) => saveLimits.verb(caller, limits)
      for (const save of [all, own]) {
        expect(await save(LOW)).toMatchObject(LOW)
        if (isConfirmed) expect(await save(HIGH)).toMatchObject(HIGH)
        else await expect(save(HIGH)).rejects.toMatchObject(insufficient)
        expect(await save(LOWER)).toMatchObject(LOWER)
      }
    }
  })

  test('B8 a wallet token of which nobody was asked declines and does not approve limit requests', async () => {
    const person = await money.person({ card: null })
    const bump = { bump_id: await newBump(person) }
    await expect(approveLimitBump.verb(byRule(person), bump)).rejects.toMatchObject(insufficient)
    expect(await declineLimitBump.verb(byRule(person), bump)).toMatchObject({ status: 'declined' })
  })
})

const EXCEEDS = [
  { kind: 'single_txn_cap', scope: 'wallet', current_minor: 2_000, requested_minor: 2_700 },
  { kind: 'daily_cap', scope: 'agent', current_minor: 2_500, requested_minor: 2_700 },
] as const

async function newBump(person: Person): Promise<string> {
  const call = { platform: money.platform, now: money.clock.now() }
  const { id } = await money.platform.db.transaction((tx) =>
    openBumpOfSettlement(tx, call, {
      principalId: person.principalId,
      agentClientId: person.agentId,
      merchantAudience: 'https://tallow.example',
      currency: 'EUR',
      amountMinor: 2_700,
      items: sql`NULL`,
      exceeds: EXCEEDS,
      mandateId: 'mandate',
    }),
  )
  return id
}

describe('approving a limit request in the portal', () => {
  test('approving a limit request needs a session that was opened just now, and otherwise changes nothing', async () => {
    const person = await money.person({ card: null })
    const bump = { bump_id: await newBump(person) }
    await expect(approveLimitBump.verb(oldSession(person), bump)).rejects.toMatchObject(stepUp('sign_in'))
    expect(await listLimitBumps.verb(money.wallet(person))).toMatchObject({ limit_bumps: [{ status: 'pending' }] })
    expect(await approveLimitBump.verb(money.wallet(person), bump)).toMatchObject({ status: 'approved' })
    expect(await approveLimitBump.verb(oldSession(person), bump)).toMatchObject({ status: 'approved' })
  })

  test('F37 approving a limit request needs the passkey of a person who has one, over every limit that it lifts', async () => {
    const person = await money.person({ card: null })
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    const bumpId = await newBump(person)
    const subject = {
      bump_id: bumpId,
      exceeds: EXCEEDS,
      amount_minor: 2_700,
      currency: 'EUR',
      agent_client_id: person.agentId,
      merchant_audience: 'https://tallow.example',
    }
    const confirm = (changes: object = {}) =>
      passkey.confirm(call, { purpose: 'bump.approve', subject: { ...subject, ...changes } })
    const [single] = EXCEEDS
    for (const changes of [
      { exceeds: [single] },
      { exceeds: [single, { ...EXCEEDS[1], requested_minor: 2_600 }] },
      { amount_minor: 2_600 },
      { agent_client_id: 'another' },
      { merchant_audience: 'x' },
    ]) {
      const approval = approveLimitBump.verb(call, { bump_id: bumpId, proof: await confirm(changes) })
      await expect(approval).rejects.toMatchObject(stepUp('passkey'))
    }
    expect(await approveLimitBump.verb(call, { bump_id: bumpId, proof: await confirm() })).toMatchObject({
      status: 'approved',
    })
  })

  test("another person's limit request looks unknown, and a declined one stays declined", async () => {
    const [person, other] = [await money.person({ card: null }), await money.person({ card: null })]
    const bump = { bump_id: await newBump(person) }
    for (const id of [bump.bump_id, 'unknown']) {
      const foreign = approveLimitBump.verb(money.wallet(other), { bump_id: id })
      await expect(foreign).rejects.toMatchObject({ code: 'not_found', description: 'There is no such limit request.' })
    }
    await declineLimitBump.verb(money.wallet(person), bump)
    await expect(approveLimitBump.verb(money.wallet(person), bump)).rejects.toMatchObject(conflict)
  })
})
