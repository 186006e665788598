import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { migrate } from '../../base/platform/database/migrate'
import { listAgentRows } from './store'

const tokens = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    SELECT id, 'agent', 'tenant', 'ada', id, '[]', '[]', '[]', '[]', '{}', now() FROM unnest(ARRAY['once', 'rotated']) id;
  INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                              auth_time, created_at, expires_at)
    SELECT id, id, 'ada', 'tenant', 'payment', 'jkt', '[]', '[]', '[]', '2026-11-20', '2026-11-20', '2026-11-21'
      FROM unnest(ARRAY['once', 'rotated']) id;
  INSERT INTO refresh_tokens (token_hash, family_id, created_at, expires_at)
    VALUES ('once', 'once', '2026-11-20', '2026-11-21'), ('first', 'rotated', '2026-11-20', '2026-11-21'),
           ('second', 'rotated', '2026-11-20T06:00:00Z', '2026-11-21');`

test('the upgrade keeps when each agent was used last', async () => {
  const db = await openBefore('20261201070001_tokens_of_clients')
  await db.session((session) => session.script(tokens))
  await migrate(db)
  const rows = await listAgentRows(db, 'ada')
  expect(Object.fromEntries(rows.map(({ id, last_used_at: at }) => [id, at?.toISOString()]))).toEqual({
    once: '2026-11-20T00:00:00.000Z',
    rotated: '2026-11-20T06:00:00.000Z',
  })
})
