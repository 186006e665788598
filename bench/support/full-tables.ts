/** Tables as they are after years of use, filled without the server. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Database } from '../../server/base/core/platform'
import { openDatabase } from '../../server/base/platform/database/client'
import { type AuditRecord, recordAudits } from '../../server/shared/audit'
import { listTenantsToCheckpoint } from '../../server/shared/audit/checkpoint-store'
import { UNSIGNED_MAX } from '../../server/shared/audit/checkpoint-tenant'
import { withClient } from './databases'

export const MERCHANT = 'https://shop.example'

const FILL_STEP = 100_000
const CHAIN_STEP = 1_000
const LOOK_EVERY_MS = 500

interface Tables {
  /** The number of payments, and of their token families, mandates, settlements and audit entries of the tenant. */
  readonly rows: number
  /** The number of agents beside those that pay. */
  readonly agents: number
  /** The agent that made half of the payments. */
  readonly hotClientId: string
  /** The tenant whose people made the others, and whose audit chain is long. */
  readonly tenantId: string
}

/** Inserts people of a tenant, without any data. Returns their ids. */
export async function addPeople(databaseUrl: string, tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${tenantId}-${index}`)
  await withClient(databaseUrl, async (client) => {
    await client.query(
      'INSERT INTO principals (id, tenant_id, created_at) SELECT id, $1, now() FROM unnest($2::text[]) id',
      [tenantId, ids],
    )
  })
  return ids
}

/** Gives everyone a limit that is never reached and, where they have none, a card that was not enrolled. */
export function letPeoplePay(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query(`UPDATE principals SET approval_rule = 'above_limits'`)
    await client.query('DELETE FROM wallet_limits')
    await client.query(
      `INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, velocity_count, velocity_window_seconds, updated_at)
       SELECT id, 900000000000, 'EUR', 1000000, 60, now() FROM principals`,
    )
    await client.query(
      `INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                  exp_year, is_default, created_at)
       SELECT id, id, id, 'cus_' || id, 'pm_' || id, 'visa', '4242', 12, 2040, true, now()
         FROM principals WHERE id NOT IN (SELECT principal_id FROM card_mandates)`,
    )
  })
}

export async function fillTables(databaseUrl: string, tables: Tables): Promise<void> {
  const { rows, agents, hotClientId, tenantId } = tables
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `CREATE TEMP TABLE payers AS
       SELECT row_number() OVER (ORDER BY c.id = $1 DESC, c.id) AS n, c.id AS client_id, c.principal_id, c.tenant_id, k.id AS card_id
         FROM clients c JOIN card_mandates k ON k.principal_id = c.principal_id WHERE c.kind = 'agent'`,
      [hotClientId],
    )
    // Counting them one by one would take minutes.
    await client.query('ALTER TABLE payments DISABLE TRIGGER payments_counted')
    for (let from = 0; from < rows; from += FILL_STEP) await fillStep(client, from, Math.min(rows, from + FILL_STEP))
    await client.query('ALTER TABLE payments ENABLE TRIGGER payments_counted')
    await client.query(
      `INSERT INTO clients (id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata, created_at)
       SELECT 'old-agent-' || i, 'agent', p.tenant_id, p.principal_id, 'Assistant ' || i, 'Buys what is on list ' || i,
              '["http://127.0.0.1:8765/cb"]', '["authorization_code"]', '["openid", "oid4ac:payment", "payment:execute"]',
              '[]', '{}', now() - interval '400 days'
         FROM generate_series(1, $1::int) i JOIN payers p ON p.n = 2 + i % greatest(1, (SELECT count(*) - 1 FROM payers))`,
      [agents],
    )
  })
  const db = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 1 })
  try {
    await fillChain(db, tenantId, rows)
    // Waits until the server has verified and signed the chain, which would slow the measured requests.
    while ((await listTenantsToCheckpoint(db, UNSIGNED_MAX)).length > 0) await delay(LOOK_EVERY_MS)
  } finally {
    await db.close()
  }
  await withClient(databaseUrl, async (client) => {
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
    while (await isVacuuming(client)) await delay(LOOK_EVERY_MS)
  })
}

/** Returns whether the database is still vacuuming tables automatically. */
async function isVacuuming(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker' AND datname = current_database()`,
  )
  return rowCount !== 0
}

/**
 * Inserts payments of the past year, evenly spread. The places of their mandates in the status list have been returned,
 * and no token family has ended: otherwise the server would delete what is due during the measurement.
 */
async function fillStep(client: Client, from: number, to: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE old AS
     SELECT 'old-' || i AS id, i, now() - make_interval(secs => 60 + i * 30) AS at, p.*
       FROM generate_series($1::int, $2::int - 1) i
       JOIN payers p ON p.n = CASE WHEN i % 2 = 0 THEN 1 ELSE 1 + (i / 2) % (SELECT count(*) FROM payers) END`,
    [from, to],
  )
  const statements = [
    `INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 mandate_id, auth_time, created_at, expires_at)
     SELECT id, client_id, principal_id, tenant_id, 'payment', 'jkt', '[]', '[]', '[]', id, at, at, now() + interval '1 day'
       FROM old`,
    `INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                           status_index, issued_at, expires_at)
     SELECT id, id, client_id, principal_id, tenant_id, '${MERCHANT}', 10, 'EUR', 'jkt', NULL, at,
            at + interval '300 seconds' FROM old`,
    `INSERT INTO settlements (id, client_id, principal_id, tenant_id, mandate_id, idempotency_key, request_digest, state,
                              amount_minor, currency, merchant_audience, application_fee_minor, card_id, payment_intent_id,
                              day, response, reserved_at, settled_at, lease_until)
     SELECT id, client_id, principal_id, tenant_id, id, id, 'digest', 'succeeded', 10, 'EUR', '${MERCHANT}', 0, card_id,
            'pi_' || id, at::date, '{}', at, at, at FROM old`,
    `INSERT INTO payments (payment_intent_id, settlement_id, principal_id, tenant_id, client_id, mandate_id,
                           merchant_audience, amount_minor, currency, status, processed_at, receipt_jws)
     SELECT 'pi_' || id, id, principal_id, tenant_id, client_id, id, '${MERCHANT}', 10, 'EUR', 'succeeded', at, 'receipt'
       FROM old`,
    `INSERT INTO spend_counters (principal_id, day, currency, spent_minor)
     SELECT principal_id, at::date, 'EUR', 10 * count(*) FROM old GROUP BY 1, 2
     ON CONFLICT (principal_id, day, currency) DO UPDATE SET spent_minor = spend_counters.spent_minor + excluded.spent_minor`,
    `INSERT INTO agent_spend_counters (client_id, day, currency, spent_minor)
     SELECT client_id, at::date, 'EUR', 10 * count(*) FROM old GROUP BY 1, 2
     ON CONFLICT (client_id, day, currency) DO UPDATE SET spent_minor = agent_spend_counters.spent_minor + excluded.spent_minor`,
    `INSERT INTO payment_counters AS k (principal_id, day, currency, status, count, amount_minor)
     SELECT principal_id, (at AT TIME ZONE 'UTC')::date, 'EUR', 'succeeded', count(*), 10 * count(*) FROM old GROUP BY 1, 2
     ON CONFLICT (principal_id, day, currency, status)
     DO UPDATE SET count = k.count + excluded.count, amount_minor = k.amount_minor + excluded.amount_minor`,
    'DROP TABLE old',
  ]
  for (const statement of statements) await client.query(statement)
}

export function paymentRecord(tenantId: string, number: number): AuditRecord {
  return {
    tenantId,
    principalId: `person-${number % 1_000}`,
    event: 'oid4ac.payment.succeeded',
    actor: { kind: 'agent', id: `agent-${number % 1_000}` },
    payload: {
      mandate_id: `mandate-${number}`,
      payment_intent_id: `pi_${number}`,
      amount_minor: number % 10_000,
      currency: 'EUR',
      merchant_audience: MERCHANT,
    },
    now: new Date(),
  }
}

/** Appends entries to a tenant's chain, hashed and linked as the service does it. */
export async function fillChain(db: Database, tenantId: string, entries: number): Promise<void> {
  for (let from = 0; from < entries; from += CHAIN_STEP) {
    const records = Array.from({ length: Math.min(CHAIN_STEP, entries - from) }, (_, at) =>
      paymentRecord(tenantId, from + at),
    )
    await db.transaction((tx) => recordAudits(tx, records))
  }
}
