import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { addPasskey } from '@/test/support/passkey-holder'
import type { WalletCall } from '../../base/core/call'
import { FRESH_SESSION_SECONDS } from '../../identity/passkeys/contract'
import { findFrozenAt } from '../../shared/principals'
import { findStop } from '../../wallet/limits'
import { freezeSpending, liftFreeze, pauseAgent, resumeAgent } from '.'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const stepUp = (way: 'passkey' | 'sign_in') => ({ code: 'step_up_required', status: 403, members: { way } })

/** Returns a call in a session that was opened too long ago to confirm anything. */
function oldSession(person: Person): WalletCall {
  const call = money.wallet(person)
  const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
  return { ...call, actor: { ...call.actor, session: { id: 'old', method: 'magic_link', authenticatedAt } } }
}

const frozenAt = ({ principalId }: Person) => findFrozenAt(money.platform.db, principalId)
const stopOf = ({ principalId, agentId }: Person) => findStop(money.platform.db, { principalId, clientId: agentId })

describe('in the portal', () => {
  test('E34 freezing needs one press in any session, and lifting it a session that was opened just now', async () => {
    const person = await money.person({ card: null })
    await freezeSpending.verb(oldSession(person))
    expect(await frozenAt(person)).toEqual(money.clock.now())
    await expect(liftFreeze(oldSession(person), {})).rejects.toMatchObject(stepUp('sign_in'))
    expect(await stopOf(person)).toBe('frozen')
    expect(await liftFreeze(money.wallet(person), {})).toEqual({ frozen_at: null })
    expect(await liftFreeze(oldSession(person), {})).toEqual({ frozen_at: null })
    expect(await stopOf(person)).toBeNull()
  })

  test('E34 lifting a freeze needs the passkey of a person who has one, for exactly that', async () => {
    const person = await money.person({ card: null })
    const call = money.wallet(person)
    const passkey = await addPasskey(call)
    await freezeSpending.verb(call)
    await expect(liftFreeze(call, {})).rejects.toMatchObject(stepUp('passkey'))
    const other = { client_id: person.agentId, paused: { from: true, to: false } }
    const wrong = await passkey.confirm(call, { purpose: 'security.relax', subject: other })
    await expect(liftFreeze(call, { proof: wrong })).rejects.toMatchObject(stepUp('passkey'))
    const subject = { frozen: { from: true, to: false } }
    const proof = await passkey.confirm(call, { purpose: 'security.relax', subject })
    expect(await liftFreeze(call, { proof })).toEqual({ frozen_at: null })
  })

  test('E34 pausing needs one press in any session, and resuming the passkey for exactly this agent', async () => {
    const person = await money.person({ card: null })
    const call = money.wallet(person)
    const mine = { client_id: person.agentId }
    const passkey = await addPasskey(call)
    const confirm = (clientId: string) =>
      passkey.confirm(call, {
        purpose: 'security.relax',
        subject: { client_id: clientId, paused: { from: true, to: false } },
      })
    await pauseAgent.verb(oldSession(person), mine)
    expect(await stopOf(person)).toBe('paused')
    await expect(resumeAgent.verb(call, mine)).rejects.toMatchObject(stepUp('passkey'))
    const foreign = { ...mine, proof: await confirm('another') }
    await expect(resumeAgent.verb(call, foreign)).rejects.toMatchObject(stepUp('passkey'))
    expect(await resumeAgent.verb(call, { ...mine, proof: await confirm(person.agentId) })).toMatchObject({
      paused: false,
    })
    expect(await stopOf(person)).toBeNull()
  })
})
