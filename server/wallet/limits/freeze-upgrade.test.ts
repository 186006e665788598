import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'
import { migrate } from '../../base/platform/database/migrate'

const people = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) SELECT id, 'tenant', now() FROM unnest(ARRAY['ada', 'bo', 'cy']) id;
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    SELECT 'agent-' || id, 'agent', 'tenant', id, id, '[]', '[]', '[]', '[]', '{}', now() FROM principals;
  INSERT INTO limit_changes (id, principal_id, kind, before, after, via, created_at) VALUES
    ('ada-froze', 'ada', 'freeze',
     '{"daily_cap_minor": 5000, "currency": "JPY", "single_txn_cap_minor": null, "velocity_count": 3, "velocity_window_seconds": 60}',
     '{"daily_cap_minor": 0, "currency": "JPY", "single_txn_cap_minor": null, "velocity_count": 3, "velocity_window_seconds": 60}',
     'portal', '2026-11-20T10:00:00Z'),
    ('bo-froze', 'bo', 'freeze', NULL,
     '{"daily_cap_minor": 0, "currency": "EUR", "single_txn_cap_minor": null, "velocity_count": null, "velocity_window_seconds": null}',
     'portal', '2026-11-21T10:00:00Z');
  INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, velocity_count, velocity_window_seconds, updated_at, frozen_by)
    VALUES ('ada', 0, 'JPY', 3, 60, now(), 'ada-froze'), ('bo', 0, 'EUR', NULL, NULL, now(), 'bo-froze'),
           ('cy', 0, 'EUR', NULL, NULL, now(), NULL);
  INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code, merchant_audience,
                        amount_minor, currency, scope, first_purchase_at_merchant, limit_bump_id, created_at, expires_at)
    SELECT 'of-' || id, id, id, 'agent-' || id, 'payment', 'dashboard', '11', 'https://shop.example', 100, 'EUR', '[]', true, 'of-' || id, now(),
           now() + interval '1 hour' FROM principals;
  INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, kind, day, currency, current_minor,
                           requested_minor, created_at, expires_at)
    SELECT 'of-' || id, id, 'agent-' || id, 'https://shop.example', 'daily_cap', '2026-11-21', 'EUR', 0, 100, now(),
           now() + interval '1 hour' FROM principals;`

test('the upgrade turns frozen limits into the state, and restores the limits from before', async () => {
  const db = await openBefore('20261125141700_freeze_and_pause')
  await db.session((session) => session.script(people))
  await migrate(db)
  const frozen = await db.query(sql`SELECT id, frozen_at FROM principals ORDER BY id`)
  expect(frozen).toEqual([
    { id: 'ada', frozen_at: new Date('2026-11-20T10:00:00Z') },
    { id: 'bo', frozen_at: new Date('2026-11-21T10:00:00Z') },
    { id: 'cy', frozen_at: null },
  ])
  const limits = await db.query(
    sql`SELECT principal_id, daily_cap_minor, currency, velocity_count FROM wallet_limits ORDER BY principal_id`,
  )
  expect(limits).toEqual([
    { principal_id: 'ada', daily_cap_minor: 5_000, currency: 'JPY', velocity_count: 3 },
    { principal_id: 'cy', daily_cap_minor: 0, currency: 'EUR', velocity_count: null },
  ])
  const consents = await db.query<{ status: string }>(sql`SELECT status FROM consents ORDER BY principal_id`)
  // A waiting limit request belongs to its approval after the upgrade.
  const bumps = await db.query<{ status: string }>(
    sql`SELECT DISTINCT ON (principal_id) status FROM limit_bumps ORDER BY principal_id, consent_id`,
  )
  for (const rows of [consents, bumps]) {
    expect(rows.map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn', 'pending'])
  }
  const kinds = await db.query(sql`SELECT principal_id FROM limit_changes WHERE kind = 'restore' ORDER BY principal_id`)
  expect(kinds).toEqual([{ principal_id: 'ada' }, { principal_id: 'bo' }])
})
