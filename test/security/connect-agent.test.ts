/** Decision B7: an agent is connected only by a person who has just confirmed the whole plan. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WalletCall } from '@/server/base/core/call'
import { sql } from '@/server/base/core/sql'
import { FRESH_SESSION_SECONDS } from '@/server/identity/passkeys/contract'
import { connectAgent } from '@/server/surfaces/portal'
import { type MoneyFixture, openMoneyFixture, type Person } from '../support/money-fixture'
import { addPasskey } from '../support/passkey-holder'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

const plan = { name: 'New one', purpose: '', scope: 'openid oid4ac:payment payment:execute' }
const refused = (way: 'passkey' | 'sign_in') => ({ code: 'step_up_required', status: 403, members: { way } })

function oldSession(person: Person): WalletCall {
  const call = fixture.wallet(person)
  const authenticatedAt = new Date(call.now.getTime() - FRESH_SESSION_SECONDS * 1000)
  const session = { id: 'old', method: 'magic_link', authenticatedAt } as const
  return { ...call, actor: { ...call.actor, session } }
}

async function countTokens(person: Person): Promise<number> {
  const [row] = await fixture.platform.db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM setup_tokens WHERE principal_id = ${person.principalId}`,
  )
  return row?.count ?? 0
}

describe('connecting an agent', () => {
  test('B7 a session that was opened long ago connects nothing, a fresh one does', async () => {
    const person = await fixture.person({ card: null })
    await expect(connectAgent(oldSession(person), plan)).rejects.toMatchObject(refused('sign_in'))
    expect(await countTokens(person)).toBe(0)
    expect(await connectAgent(fixture.wallet(person), plan)).toMatchObject({ setup_token: expect.any(String) })
    expect(await countTokens(person)).toBe(1)
  })

  test('B7 the mailbox alone connects nothing where there is a passkey', async () => {
    const person = await fixture.person({ card: null })
    const call = fixture.wallet(person)
    const passkey = await addPasskey(call)
    await expect(connectAgent(call, plan)).rejects.toMatchObject(refused('passkey'))
    const subject = { ...plan, limits: null }
    for (const other of [{ ...subject, name: 'Another' }, { ...subject, scope: `${plan.scope} wallet:write` }, plan]) {
      const proof = await passkey.confirm(call, { purpose: 'agent.connect', subject: other })
      await expect(connectAgent(call, { ...plan, proof })).rejects.toMatchObject(refused('passkey'))
    }
    expect(await countTokens(person)).toBe(0)
    const proof = await passkey.confirm(call, { purpose: 'agent.connect', subject })
    expect(await connectAgent(call, { ...plan, proof })).toMatchObject({ setup_token: expect.any(String) })
    await expect(connectAgent(call, { ...plan, proof }), 'a signature is used once').rejects.toMatchObject(
      refused('passkey'),
    )
  })
})
