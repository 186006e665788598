import type { AuditEntry } from '../audit'
import type { Queryable } from '../core/platform'

/** What the ids in audit entries are called; the entries themselves hold no names. */
export interface ActivityNames {
  readonly agents: ReadonlyMap<string, string>
  readonly merchants: ReadonlyMap<string, string>
  /** Which agent was given which mandate. */
  readonly agentOfMandate: ReadonlyMap<string, string>
}

function members(entries: readonly AuditEntry[], name: string): string[] {
  return [...new Set(entries.map(({ payload }) => payload[name]).filter((value) => typeof value === 'string'))]
}

/** The names of what the entries are about, as far as it is the person's own. */
export async function findActivityNames(
  db: Queryable,
  principalId: string,
  entries: readonly AuditEntry[],
): Promise<ActivityNames> {
  const [agents, merchants, mandates] = await Promise.all([
    db.query<{ id: string; name: string }>('SELECT id, name FROM clients WHERE principal_id = $1', [principalId]),
    findMerchantNames(db, members(entries, 'merchant_audience')),
    db.query<{ id: string; client_id: string }>(
      'SELECT id, client_id FROM mandates WHERE principal_id = $1 AND id = ANY ($2::text[])',
      [principalId, members(entries, 'mandate_id')],
    ),
  ])
  return {
    agents: new Map(agents.map(({ id, name }) => [id, name])),
    merchants,
    agentOfMandate: new Map(mandates.map((row) => [row.id, row.client_id])),
  }
}

/** What registered merchants are called, by their address. */
export async function findMerchantNames(
  db: Queryable,
  audiences: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ merchant_audience: string; business_name: string }>(
    'SELECT merchant_audience, business_name FROM merchants WHERE merchant_audience = ANY ($1::text[])',
    [audiences],
  )
  return new Map(rows.map((row) => [row.merchant_audience, row.business_name]))
}
