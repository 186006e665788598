import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'
import { migrate } from '../../base/platform/database/migrate'

const before = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('agent', 'agent', 'tenant', 'ada', 'Agent', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code, scope,
                        first_purchase_at_merchant, status, created_at, expires_at, decided_at, decided_via)
    SELECT id, id, 'ada', 'agent', 'wallet', 'dashboard', '11', '["wallet:write"]', false,
           CASE id WHEN 'declined' THEN 'declined' WHEN 'waiting' THEN 'pending' ELSE 'approved' END, '2026-11-20T09:00:00Z',
           '2026-11-20T11:00:00Z', CASE WHEN id <> 'waiting' THEN timestamptz '2026-11-20T10:00:00Z' END,
           CASE id WHEN 'by-token' THEN 'token' WHEN 'waiting' THEN NULL ELSE 'portal' END
      FROM unnest(ARRAY['by-mail', 'by-passkey', 'by-token', 'declined', 'waiting']) id;
  INSERT INTO approval_evidence (authorization_id, principal_id, method, passkey_id, display_digest, display, nonce, challenge,
                                 authenticator_data, client_data_json, signature, public_key, created_at) VALUES
    ('by-mail', 'ada', 'magic_link', NULL, 'x', '{}', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-20T10:00:00Z'),
    ('by-passkey', 'ada', 'passkey', 'k', 'x', '{}', 'n', 'c', 'a', 'd', 's', 'p', '2026-11-20T10:00:00Z');
  INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                              auth_time, created_at, expires_at)
    VALUES ('family', 'agent', 'ada', 'tenant', 'wallet', 'jkt', '["wallet:write"]', '[]', '[]', now(), now(), now());`

test('B10 the upgrade says how earlier approvals were confirmed, and claims nothing for earlier tokens', async () => {
  const db = await openBefore('20261126020000_authentication_of_tokens')
  await db.session((session) => session.script(before))
  await migrate(db)
  const decidedAt = new Date('2026-11-20T10:00:00Z')
  expect(
    await db.query(sql`SELECT authorization_id AS id, acr, auth_time FROM consents ORDER BY authorization_id`),
  ).toEqual([
    { id: 'by-mail', acr: 'mail', auth_time: decidedAt },
    { id: 'by-passkey', acr: 'phr', auth_time: decidedAt },
    { id: 'by-token', acr: 'rule', auth_time: decidedAt },
    { id: 'declined', acr: null, auth_time: null },
    { id: 'waiting', acr: null, auth_time: null },
  ])
  expect(await db.query(sql`SELECT acr FROM token_families`)).toEqual([{ acr: 'rule' }])
})
