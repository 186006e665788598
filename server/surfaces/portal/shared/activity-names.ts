import type { Queryable } from '../../../base/core/platform'
import type { Row } from '../../../base/core/rows'
import { sql } from '../../../base/core/sql'
import type { AuditEntry } from '../../../shared/audit'
import { findAgentNames, findMerchantNames } from './store'

/** The names behind the ids in audit entries; the entries themselves hold no names. */
export interface ActivityNames {
  readonly agents: ReadonlyMap<string, string>
  readonly merchants: ReadonlyMap<string, string>
  /** The agents by the ids of their mandates. */
  readonly agentOfMandate: ReadonlyMap<string, string>
}

function members(entries: readonly AuditEntry[], name: string): string[] {
  return [...new Set(entries.map(({ payload }) => payload[name]).filter((value) => typeof value === 'string'))]
}

/** Returns names for the entries, of the person's own agents and mandates alone. */
export async function findActivityNames(
  db: Queryable,
  principalId: string,
  entries: readonly AuditEntry[],
): Promise<ActivityNames> {
  const [agents, merchants, mandates] = await Promise.all([
    findAgentNames(db, principalId),
    findMerchantNames(db, members(entries, 'merchant_audience')),
    db.query<Row<'Mandate', 'id' | 'client_id'>>(
      sql`SELECT id, client_id FROM mandate_terms WHERE principal_id = ${principalId} AND id = ANY (${members(entries, 'mandate_id')}::text[])`,
    ),
  ])
  return {
    agents,
    merchants,
    agentOfMandate: new Map(mandates.map((row) => [row.id, row.client_id])),
  }
}
