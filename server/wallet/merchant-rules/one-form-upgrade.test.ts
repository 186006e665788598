import { expect, test } from 'vitest'
import { migrateBefore, openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'

const rows = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('agent', 'agent', 'tenant', 'ada', 'Agent', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at) VALUES
    ('1', 'ada', 'https://a.example/shop/', NULL, 'deny', now()), ('2', 'ada', 'https://a.example/shop', NULL, 'allow', now()),
    ('3', 'ada', 'https://b.example?', 'agent', 'allow', now()), ('4', 'ada', 'https://c.example/x/?', NULL, 'allow', now()),
    ('5', 'ada', 'https://d.example?q=1/', NULL, 'deny', now()), ('6', 'ada', 'http://e.example', NULL, 'deny', now()),
    ('7', 'ada', 'http://localhost:3000', NULL, 'deny', now());
  INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at) VALUES
    ('tenant', 'https://a.example/shop/', 'agent', 'allow', now()), ('tenant', 'https://a.example/shop', 'agent', 'deny', now());
  INSERT INTO merchant_gates (tenant_id, merchant_audience, allow_list_required, updated_at) VALUES
    ('tenant', 'https://a.example/shop/', true, now()), ('tenant', 'https://a.example/shop', false, now());
  INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at) VALUES
    ('ada', 'agent', 'merchant:https://a.example/shop/', now()), ('ada', 'agent', 'merchant:https://a.example/shop', now()),
    ('ada', 'agent', 'merchant:https://b.example/b/', now()), ('ada', 'agent', 'wallet:wallet:read', now());
  INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status, created_at)
    SELECT address, address, 'Shop', 'IE', '[]', '[]', 'verified', now()
      FROM unnest(ARRAY['https://a.example/shop/', 'https://b.example/b/', 'https://b.example/b']) address;`

test('the upgrade moves what is stored about merchants to the one form of their addresses', async () => {
  const db = await openBefore('20261125021000_one_form_of_audiences')
  await db.session((session) => session.script(rows))
  await migrateBefore(db, '20261125021500_application_fees')
  const lines = async (statement: ReturnType<typeof sql>) =>
    (await db.query<{ line: string }>(statement)).map(({ line }) => line)
  expect(
    await lines(sql`SELECT concat_ws(' ', merchant_audience, client_id, verdict) AS line
                      FROM principal_merchant_rules ORDER BY merchant_audience`),
  ).toEqual([
    'http://localhost:3000 deny',
    'https://a.example/shop deny',
    'https://b.example agent allow',
    'https://c.example/x allow',
  ])
  expect(await lines(sql`SELECT merchant_audience || ' ' || verdict AS line FROM merchant_rules`)).toEqual([
    'https://a.example/shop deny',
  ])
  expect(await lines(sql`SELECT merchant_audience || ' ' || allow_list_required AS line FROM merchant_gates`)).toEqual([
    'https://a.example/shop true',
  ])
  expect(await lines(sql`SELECT subject AS line FROM remembered_approvals ORDER BY subject`)).toEqual([
    'merchant:https://a.example/shop',
    'merchant:https://b.example/b',
    'wallet:wallet:read',
  ])
  expect(await lines(sql`SELECT merchant_audience AS line FROM merchants ORDER BY merchant_audience`)).toEqual([
    'https://a.example/shop',
    'https://b.example/b',
    'https://b.example/b/',
  ])
})
