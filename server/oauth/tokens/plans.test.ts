import { expect, onTestFinished, test } from 'vitest'
import { MERCHANT, openMoneyFixture } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { revokeUnaskedFamilies } from './revoke-family'

const MANDATES = 4_000

test('forgetting a merchant reads the mandates of its person alone', async () => {
  const money = await openMoneyFixture()
  onTestFinished(() => money.close())
  const { db } = money.platform
  const [ada, other] = [await money.person(), await money.person()]
  await money.mandate(ada)
  const theirs = await money.mandate(other)
  for (const table of ['token_families', 'mandates'].map((name) => sql.raw(name))) {
    await db.query(
      sql`INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'family_id', t.principal_id || n, 'status_index', NULL))).*
            FROM ${table} t, generate_series(1, ${MANDATES}::int) n WHERE t.principal_id = ${theirs.principal_id}`,
    )
  }
  await db.query(sql`VACUUM (ANALYZE) token_families, mandates`)
  const { principalId, agentId: clientId } = ada
  const ending = {
    principalId,
    clientId,
    audience: MERCHANT,
    reason: 'access_ended',
    actor: { kind: 'principal', id: principalId },
    now: money.clock.now(),
  } as const
  const plan = await planOf(db, (explaining) => revokeUnaskedFamilies(explaining as Transaction, ending))
  expect(plan).toContain('mandates_principal')
  expect(plan).not.toMatch(/Seq Scan on (?:mandates|token_families|consents|settlements)/)
})
