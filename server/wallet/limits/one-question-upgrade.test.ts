import { expect, test } from 'vitest'
import { openBefore } from '@/test/support/upgrade'
import { sql } from '../../base/core/sql'
import { migrate } from '../../base/platform/database/migrate'

/**
 * The data before the upgrade: each limit had a row of its own, a leader that the person was shown and companions
 * opened with it.
 */
const before = `
  INSERT INTO clients (id, kind, tenant_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('tenant', 'wallet', 'tenant', 'Wallet', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO principals (id, tenant_id, created_at) VALUES ('ada', 'tenant', now());
  INSERT INTO clients (id, kind, tenant_id, principal_id, name, redirect_uris, grant_types, scope, jwks, metadata, created_at)
    VALUES ('agent', 'agent', 'tenant', 'ada', 'Agent', '[]', '[]', '[]', '[]', '{}', now());
  INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                              mandate_id, auth_time, created_at, expires_at)
    VALUES ('family', 'agent', 'ada', 'tenant', 'payment', 'jkt', '[]', '[]', '[{"line_items": [{"sku": "lamp", "qty": 1}]}]',
            'mandate', now(), now(), now() + interval '1 day');
  INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                        status_index, issued_at, expires_at)
    VALUES ('mandate', 'family', 'agent', 'ada', 'tenant', 'https://shop.example', 900, 'EUR', 'jkt', 1, now(), now());
  INSERT INTO consents (authorization_id, approval_handle, principal_id, client_id, kind, consent_mode, match_code, merchant_audience,
                        amount_minor, currency, line_items, scope, first_purchase_at_merchant, limit_bump_id, status, decided_at, created_at, expires_at)
    SELECT id, id, 'ada', 'agent', 'payment', 'dashboard', '11', 'https://shop.example', 800, 'EUR',
           '[{"sku": "book", "qty": 1}]', '[]', true, bump, status, CASE WHEN status = 'approved' THEN now() END, now(), now() + interval '15 minutes'
      FROM (VALUES ('one', 'shared', 'pending'), ('two', 'shared', 'pending'), ('three', 'met', 'pending'),
                   ('bought', 'granted', 'approved')) AS c (id, bump, status);
  INSERT INTO limit_bumps (id, principal_id, agent_client_id, merchant_audience, scope, kind, day, currency, current_minor,
                           requested_minor, mandate_id, status, opened_with, consent_id, used_by, created_at, expires_at)
    SELECT id, 'ada', 'agent', 'https://shop.example', scope, kind, '2026-11-21', 'EUR', lim, ask, mandate, status, leader,
           consent, used, now(), now() + interval '1 day'
      FROM (VALUES
        ('met', 'wallet', 'single_txn_cap', 500, 900, 'mandate', 'pending', NULL, NULL, NULL),
        ('met-2', 'agent', 'daily_cap', 600, 900, 'mandate', 'pending', 'met', NULL, NULL),
        ('shared', 'wallet', 'daily_cap', 600, 800, NULL, 'pending', NULL, NULL, NULL),
        ('shared-2', 'wallet', 'velocity', 3, 4, NULL, 'pending', 'shared', NULL, NULL),
        ('granted', 'wallet', 'single_txn_cap', 500, 800, NULL, 'approved', NULL, 'bought', NULL),
        ('granted-2', 'wallet', 'daily_cap', 600, 800, NULL, 'approved', 'granted', 'bought', NULL),
        ('spent', 'wallet', 'single_txn_cap', 500, 900, 'mandate', 'approved', NULL, NULL, 'settlement'),
        ('spent-2', 'wallet', 'daily_cap', 600, 900, 'mandate', 'approved', 'spent', NULL, NULL),
        ('lost', 'wallet', 'daily_cap', 100, 200, NULL, 'approved', NULL, NULL, NULL)
      ) AS b (id, scope, kind, lim, ask, mandate, status, leader, consent, used);`

const exceeded = (kind: string, scope: string, [current, requested]: readonly [number, number]) => ({
  kind,
  scope,
  current_minor: current,
  requested_minor: requested,
})

test('the upgrade makes one limit request of each question, about the purchase that it was asked for', async () => {
  const db = await openBefore('20261126010000_one_question_per_purchase')
  await db.session((session) => session.script(before))
  await migrate(db)
  const own = await db.query(
    sql`SELECT id, status, amount_minor, line_items, used_by, consent_id, exceeds FROM limit_bumps
         WHERE consent_id IS DISTINCT FROM 'one' AND consent_id IS DISTINCT FROM 'two' AND consent_id IS DISTINCT FROM 'three'
         ORDER BY id`,
  )
  const [book, lamp] = [[{ sku: 'book', qty: 1 }], [{ sku: 'lamp', qty: 1 }]]
  const bump = { status: 'approved', amount_minor: 900, line_items: lamp, used_by: null, consent_id: null }
  expect(own).toEqual([
    {
      ...bump,
      id: 'granted',
      amount_minor: 800,
      line_items: book,
      consent_id: 'bought',
      exceeds: [exceeded('single_txn_cap', 'wallet', [500, 800]), exceeded('daily_cap', 'wallet', [600, 800])],
    },
    {
      ...bump,
      id: 'lost',
      status: 'withdrawn',
      amount_minor: 0,
      line_items: null,
      exceeds: [exceeded('daily_cap', 'wallet', [100, 200])],
    },
    {
      ...bump,
      id: 'met',
      status: 'pending',
      exceeds: [exceeded('single_txn_cap', 'wallet', [500, 900]), exceeded('daily_cap', 'agent', [600, 900])],
    },
    {
      ...bump,
      id: 'shared',
      status: 'withdrawn',
      amount_minor: 800,
      line_items: book,
      exceeds: [exceeded('daily_cap', 'wallet', [600, 800]), exceeded('velocity', 'wallet', [3, 4])],
    },
    { ...bump, id: 'spent', used_by: 'settlement', exceeds: [exceeded('single_txn_cap', 'wallet', [500, 900])] },
    { ...bump, id: 'spent-2', exceeds: [exceeded('daily_cap', 'wallet', [600, 900])] },
  ])
  const asked = await db.query(
    sql`SELECT o.authorization_id, b.consent_id, b.status, b.amount_minor, b.expires_at = o.expires_at AS ends_with_it,
               jsonb_array_length(b.exceeds) AS limits
          FROM consents o LEFT JOIN limit_bumps b ON b.id = o.limit_bump_id ORDER BY o.authorization_id`,
  )
  const waiting = { status: 'pending', amount_minor: 800, ends_with_it: true, limits: 2 }
  const none = { consent_id: null, status: null, amount_minor: null, ends_with_it: null, limits: null }
  expect(asked).toEqual([
    { authorization_id: 'bought', ...none },
    ...['one', 'three', 'two'].map((id) => ({ authorization_id: id, consent_id: id, ...waiting })),
  ])
})
