/** D51: work that lasts longer than the lease of its Idempotency-Key. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { WalletCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { answerPrivacyRequestOnce, type KeyedInput } from './answer-once'
import { openRequest } from './open-request'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const input: KeyedInput = { headers: { 'idempotency-key': 'k' }, bodyDigest: 'digest', hasMembers: false }

/** Runs a request that is counted, and answers once `ready` has resolved. */
function answer(call: WalletCall, text: string, ready: () => Promise<void> = () => Promise.resolve()) {
  return answerPrivacyRequestOnce(call, { kind: 'access', input }, async (save) => {
    await ready()
    await call.platform.db.transaction(async (tx) => {
      await openRequest(tx, call, { kind: 'access', result: 'queued' })
      await save(tx, text)
    })
    return text
  })
}

const countRequests = ({ principalId }: Person) => money.count('privacy_requests', sql`principal_id = ${principalId}`)

/** Ends the lease, and lets a second request take the key. */
async function overtake(call: WalletCall): Promise<void> {
  await money.platform.db.query(
    sql`UPDATE privacy_replies SET lease_until = clock_timestamp() - interval '1 second'
        WHERE principal_id = ${call.actor.principalId}`,
  )
  expect(await answer(call, 'second')).toEqual({ text: 'second', isReplay: false })
}

test('D51 of two that hold one key after another the first undoes its work, and the answer of the second stays', async () => {
  const person = await money.person()
  const call = money.wallet(person)
  await expect(answer(call, 'first', () => overtake(call))).rejects.toMatchObject({ code: 'idempotency_in_flight' })
  expect(await countRequests(person)).toBe(1)
  expect(await answer(call, 'third')).toEqual({ text: 'second', isReplay: true })
})

test('D51 a request that fails does not free the key that another holds by now', async () => {
  const person = await money.person()
  const call = money.wallet(person)
  const late = answer(call, 'first', async () => {
    await money.platform.db.query(
      sql`UPDATE privacy_replies SET lease_until = clock_timestamp() + interval '9 seconds'
          WHERE principal_id = ${person.principalId}`,
    )
    throw new Error('failed')
  })
  await expect(late).rejects.toThrow('failed')
  expect(await money.count('privacy_replies', sql`principal_id = ${person.principalId}`)).toBe(1)
})
