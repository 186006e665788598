/** A token request that lasts longer than the lease of its Idempotency-Key. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import type { ClientCall } from '../../base/core/call'
import { sql } from '../../base/core/sql'
import { answerTokenRequestOnce } from './idempotency'

let money: MoneyFixture
let call: ClientCall
let familyId: string
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())
beforeEach(async () => {
  const mandate = await money.mandate(await money.person())
  familyId = mandate.family_id
  const client = {
    id: mandate.client_id,
    kind: 'agent',
    tenantId: mandate.tenant_id,
    principalId: mandate.principal_id,
    name: 'Agent',
    purpose: null,
    redirectUris: [],
    grantTypes: [],
    scope: [],
    jwks: [],
  } as const
  call = {
    platform: money.platform,
    requestId: 'request',
    now: money.clock.now(),
    actor: {
      kind: 'client',
      client,
      dpop: { jkt: 'jkt', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' } },
      replayKeys: [],
    },
  }
})

/** Sends a request that issues something and answers once `ready` has resolved. */
function answer(text: string, ready: () => Promise<void> = () => Promise.resolve()): Promise<string> {
  return answerTokenRequestOnce(call, { key: 'k', bodyDigest: 'digest' }, async (save) => {
    await ready()
    await call.platform.db.transaction(async (tx) => {
      await tx.query(sql`INSERT INTO replay_keys VALUES (${`${familyId} ${text}`}, '2099-01-01')`)
      await save(tx, { reply: text, familyId })
    })
    return () => Promise.resolve(text)
  })
}

const issued = () => money.count('replay_keys', sql`starts_with(key, ${familyId})`)

test('of two that hold one key after another the first undoes its work, and the answer of the second stays', async () => {
  const overtake = async () => {
    await money.platform.db.query(
      sql`UPDATE idempotent_replies SET lease_until = clock_timestamp() - interval '1 second'
          WHERE client_id = ${call.actor.client.id}`,
    )
    expect(await answer('second')).toBe('second')
  }
  await expect(answer('first', overtake)).rejects.toMatchObject({ code: 'idempotency_in_flight' })
  expect(await issued()).toBe(1)
  expect(await answer('third')).toBe('second')
})

test('a request that fails does not free the key that another holds by now', async () => {
  const failLate = async () => {
    await money.platform.db.query(
      sql`UPDATE idempotent_replies SET lease_until = clock_timestamp() + interval '9 seconds'
          WHERE client_id = ${call.actor.client.id}`,
    )
    throw new Error('failed')
  }
  await expect(answer('first', failLate)).rejects.toThrow('failed')
  expect(await money.count('idempotent_replies', sql`client_id = ${call.actor.client.id}`)).toBe(1)
})

test('a request that fails frees its key', async () => {
  const fail = () => Promise.reject(new Error('failed'))
  await expect(answer('first', fail)).rejects.toThrow('failed')
  expect(await answer('second')).toBe('second')
})
