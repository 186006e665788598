/** Decision D59, for requests that wait for a restriction after they have read that there is none. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Transaction } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { lockPrincipalExclusively, updateProcessingRestricted } from '@/server/shared/principals'
import { Agent, newPrincipal, Person, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Restricts processing while `work` waits for the person's lock; returns what came of `work`. */
async function restrictDuring<T>(principalId: string, work: () => Promise<T>): Promise<T> {
  const { working } = await app.platform.db.transaction(async (tx) => {
    await lockPrincipalExclusively(tx, principalId)
    await updateProcessingRestricted(tx, principalId, true)
    const begun = work()
    await vi.waitFor(async () => expect(await countWaiting(tx)).toBeGreaterThan(0), { timeout: 5_000 })
    return { working: begun }
  })
  return working
}

async function countWaiting(tx: Transaction): Promise<number> {
  const waiting = await tx.query(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return waiting.length
}

const countTokens = (principalId: string) =>
  app.platform.db.query(
    sql`SELECT count(*)::int AS n FROM refresh_tokens r JOIN token_families f ON f.id = r.family_id
         WHERE f.principal_id = ${principalId}`,
  )

describe.each(['authorization_code', 'refresh_token'])('a grant of the type %s', (grantType) => {
  test.each([
    ['without', {}],
    ['with', { 'idempotency-key': 'key' }],
  ])('D59 a grant that was checked before a restriction gets no tokens, %s an Idempotency-Key', async (_, headers) => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agent = await Agent.register(app, principalId)
    const { code, verifier } = await agent.code()
    const { refresh_token } = await agent.buy()
    await agent.freshNonce()
    const before = await countTokens(principalId)
    const grant =
      grantType === 'refresh_token' ? { refresh_token } : { code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
    const { status, json } = await restrictDuring(principalId, () =>
      agent.mint('/oauth/token', { grant_type: grantType, ...grant }, headers),
    )
    expect([status, json]).toMatchObject([400, { error: 'access_denied' }])
    expect(await countTokens(principalId)).toEqual(before)
  })
})

test('D59 a sandbox session that was checked before a restriction is not opened', async () => {
  const { principalId } = await newPrincipal(app)
  const opening = restrictDuring(principalId, () =>
    Person.signIn(app, principalId).then(
      () => 'opened',
      (error: unknown) => String(error),
    ),
  )
  expect(await opening).toContain('access_denied')
})
