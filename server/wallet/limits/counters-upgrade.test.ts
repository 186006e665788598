import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'
import { migrate } from '../../base/platform/database/migrate'

const people = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    SELECT id, 'agent', 'tenant', 'ada', id, '[]', '[]', '[]', '[]', '{}', now() FROM unnest(ARRAY['one', 'two', 'idle']) id;
  INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                              auth_time, created_at, expires_at)
    VALUES ('family', 'one', 'ada', 'tenant', 'payment', 'jkt', '[]', '[]', '[]', now(), now(), now());
  INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                             exp_year, is_default, created_at)
    VALUES ('card', 'ada', 'seti', 'cus', 'pm', 'visa', '4242', 12, 2030, true, now());`

const payments: readonly [agent: string, state: string, amountMinor: number, day: string][] = [
  ['one', 'succeeded', 100, '2026-11-20'],
  ['one', 'succeeded', 20, '2026-11-21'],
  ['one', 'succeeded', 3, '2026-11-21'],
  ['one', 'failed', 4_000, '2026-11-21'],
  ['one', 'unknown', 50_000, '2026-11-21'],
  ['two', 'submitting', 7, '2026-11-21'],
  ['two', 'failed', 800, '2026-11-22'],
]

test('the upgrade fills the counters of agents from their settlements, spent and in flight', async () => {
  const db = await openBefore('20261122010000_agent_limits')
  await db.session((session) => session.script(people))
  for (const [at, [agent, state, amountMinor, day]] of payments.entries()) {
    await db.query(
      sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency,
                             jkt, status_index, issued_at, expires_at)
       VALUES (${`mandate-${at}`}, 'family', ${agent}, 'ada', 'tenant', 'https://shop.example', ${amountMinor}::bigint, 'EUR', 'jkt', ${at}::int, now(), now())`,
    )
    await db.query(
      sql`INSERT INTO settlements (id, client_id, principal_id, tenant_id, mandate_id, idempotency_key, request_digest, state,
                                amount_minor, currency, merchant_audience, application_fee_minor, card_id, day, response,
                                reserved_at, lease_until)
       VALUES (${`mandate-${at}`}, ${agent}, 'ada', 'tenant', ${`mandate-${at}`}, ${`mandate-${at}`}, 'digest', ${state}, ${amountMinor}::bigint, 'EUR', 'https://shop.example', 0, 'card', ${day}::date,
               CASE WHEN ${state} IN ('succeeded', 'failed') THEN '{}' END, now(), now())`,
    )
  }
  await migrate(db)
  expect(
    await db.query(
      sql`SELECT client_id, day::text, currency, reserved_minor, spent_minor FROM agent_spend_counters ORDER BY client_id, day`,
    ),
  ).toEqual([
    { client_id: 'one', day: '2026-11-20', currency: 'EUR', reserved_minor: 0, spent_minor: 100 },
    { client_id: 'one', day: '2026-11-21', currency: 'EUR', reserved_minor: 50_000, spent_minor: 23 },
    { client_id: 'two', day: '2026-11-21', currency: 'EUR', reserved_minor: 7, spent_minor: 0 },
  ])
})
