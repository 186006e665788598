import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'
import { migrate } from '../../base/platform/database/migrate'

const people = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) SELECT id, 'tenant', now() FROM unnest(ARRAY['ada', 'bo']) id;
  INSERT INTO notification_preferences (principal_id, rcs_enabled, rcs_phone_e164, email_enabled, updated_at) VALUES
    ('ada', true, '+353861234567', false, '2026-11-20T10:00:00Z'), ('bo', false, NULL, true, '2026-11-20T10:00:00Z');`

test('the upgrade keeps phones in use, as confirmed when they were saved', async () => {
  const db = await openBefore('20261126030000_confirmed_contacts')
  await db.session((session) => session.script(people))
  await migrate(db)
  const rows = await db.query(
    sql`SELECT principal_id, confirmed_phone_e164, phone_confirmed_at FROM notification_preferences ORDER BY principal_id`,
  )
  expect(rows).toEqual([
    {
      principal_id: 'ada',
      confirmed_phone_e164: '+353861234567',
      phone_confirmed_at: new Date('2026-11-20T10:00:00Z'),
    },
    { principal_id: 'bo', confirmed_phone_e164: null, phone_confirmed_at: null },
  ])
})
