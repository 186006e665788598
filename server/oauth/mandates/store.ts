import { batchedFor, lookedUpTogether } from '../../base/core/batching'
import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { releaseCredentialPlaces } from './credential-places'
import { MANDATE_PLACES } from './status-index'

export type MandateRow = Row<
  'Mandate',
  | 'id'
  | 'family_id'
  | 'client_id'
  | 'principal_id'
  | 'tenant_id'
  | 'merchant_audience'
  | 'amount_minor'
  | 'currency'
  | 'offer_id'
  | 'offer_digest'
  | 'jkt'
  | 'expires_at'
  | 'revoked_at'
>

/**
 * Finds a mandate, and whether it, its family, client and person are active; null when unknown. A deleted family counts
 * as active: it expired by itself, or its revocation also revoked the mandate.
 */
export const findMandate: (db: Database, id: string) => Promise<(MandateRow & { active: boolean }) | null> =
  lookedUpTogether(
    (db: Database, ids) =>
      db.query<MandateRow & { active: boolean }>(
        sql`SELECT m.id, m.family_id, m.client_id, m.principal_id, m.tenant_id, m.merchant_audience, m.amount_minor, m.currency,
            m.offer_id, m.offer_digest, m.jkt, m.expires_at, m.revoked_at,
            (m.revoked_at IS NULL AND (f.id IS NOT NULL OR m.line_items IS NOT NULL) AND c.id IS NOT NULL AND p.id IS NOT NULL) AS active
       FROM mandates m LEFT JOIN active_token_families f ON f.id = m.family_id
       LEFT JOIN active_clients c ON c.id = m.client_id LEFT JOIN active_principals p ON p.id = m.principal_id
      WHERE m.id = ANY (${ids}::text[])`,
      ),
    (row) => row.id,
  )

export type IssuedMandate = Row<'Mandate', 'id' | 'disclosures'>

/** Finds the id and the issued disclosures of a mandate; null when it is unknown. */
export async function findIssuedMandate(db: Database, id: string): Promise<IssuedMandate | null> {
  const found = await db.prisma.mandate.findUnique({ select: { id: true, disclosures: true }, where: { id } })
  return found === null ? null : rowOf<IssuedMandate>(found)
}

export interface NewMandate {
  readonly id: string
  readonly merchantAudience: string
  readonly amountMinor: number
  readonly currency: string
  readonly offerId: string | null
  readonly offerDigest: string | null
  /** Places of the status list, of which the mandate gets the first free one. */
  readonly statusIndexes: readonly number[]
  readonly expiresAt: Date
  /** The disclosures as issued, which are stored because their salts cannot be recreated. */
  readonly disclosures: readonly string[]
}

/** The parameters of a statement for wallet access, which has no mandate. */
const NO_MANDATE = {
  id: null,
  merchantAudience: null,
  amountMinor: null,
  currency: null,
  offerId: null,
  offerDigest: null,
  expiresAt: null,
  disclosures: null,
} as const

/** Returns SQL that selects the first free place for the mandate, as `status_index`; no row when all are in use. */
export function freePlaceSql(mandate: NewMandate | null): Sql {
  // A scalar subquery uses the index; NOT EXISTS would be planned as a scan of all mandates.
  return sql`SELECT i AS status_index FROM unnest(${mandate?.statusIndexes ?? []}::int[]) i
              WHERE (SELECT m.id FROM mandates m WHERE m.status_index = i) IS NULL LIMIT 1`
}

interface MandateParts {
  /** The family, with the columns id, client_id, principal_id, tenant_id and jkt. */
  readonly family: Sql
  /** The place that `freePlaceSql` has selected. */
  readonly place: Sql
  readonly now: Date
}

/** Returns SQL that stores the mandate of a token family and returns its place; no row without a mandate. */
export function insertMandateSql(newMandate: NewMandate | null, { family, place, now }: MandateParts): Sql {
  const mandate = newMandate ?? NO_MANDATE
  return sql`INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency,
                                   offer_id, offer_digest, jkt, status_index, issued_at, expires_at, disclosures)
      SELECT ${mandate.id}::text, family.id, family.client_id, family.principal_id, family.tenant_id,
             ${mandate.merchantAudience}, ${mandate.amountMinor}::bigint, ${mandate.currency},
             ${mandate.offerId}, ${mandate.offerDigest}, family.jkt, place.status_index,
             ${now}::timestamptz, ${mandate.expiresAt}::timestamptz, ${mandate.disclosures?.join('~') ?? null}::text
        FROM ${family} AS family, ${place} AS place
       WHERE ${newMandate !== null}
      RETURNING status_index`
}

/**
 * Revokes the active mandates of some token families, in the transaction that revokes the families. Returns whether
 * there were any: the caller must then call `moveStatusList`.
 */
export async function revokeMandatesOfFamilies(
  tx: Queryable,
  familyIds: readonly string[],
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE mandates SET revoked_at = ${now} WHERE family_id = ANY (${familyIds}::text[]) AND revoked_at IS NULL RETURNING id`,
  )
  return rows.length > 0
}

/** Returns SQL that copies agreed items from families to mandates. `families` has the columns `id` and `line_items`. */
export const keepItemsSql = (families: Sql): Sql =>
  sql`UPDATE mandates m SET line_items = coalesce(family.line_items, '[]')
        FROM ${families} AS family WHERE m.family_id = family.id`

/** Increments the version of the published list. Call it last, because every revocation waits for its row. */
export async function moveStatusList(tx: Queryable): Promise<void> {
  await tx.query(sql`UPDATE status_lists SET version = version + 1`)
}

/** The most requests for a list that one read of its version answers. */
const READ_TOGETHER_MAX = 1_000

/**
 * Reads the version of a published list; 0 for an unknown list. Concurrent requests share a read that begins after
 * them.
 */
export const findStatusListVersion = batchedFor<Database, string, number>(async (db, ids) => {
  const rows = await db.query<Row<'StatusList', 'id' | 'version'>>(
    sql`SELECT id, version FROM status_lists WHERE id = ANY (${[...new Set(ids)]}::text[])`,
  )
  const byId = new Map(rows.map(({ id, version }) => [id, version]))
  return ids.map((id) => byId.get(id) ?? 0)
}, READ_TOGETHER_MAX)

/** SQL expression for whether all places of mandates were in use at the last count. */
export const isListFullSql: Sql = sql`(SELECT bool_and(l.places_used >= ${sql.raw(MANDATE_PLACES)}) FROM status_lists l)`

/** Returns the number of places of mandates that were free at the last count, which is made every minute. */
export async function countFreePlaces(db: Queryable): Promise<number> {
  const [row] = await db.query<Row<'StatusList', 'places_used'>>(sql`SELECT places_used FROM status_lists`)
  return Math.max(MANDATE_PLACES - (row?.places_used ?? 0), 0)
}

const RELEASED_AT_ONCE = 5_000

/**
 * Frees the places of mandates that ended before an instant, a few thousand at a time, and counts those in use. Moves
 * the list's version when one was revoked. `>= 0` matches the condition of the index of places in use.
 */
export async function releasePlaces(db: Queryable, endedBefore: Date): Promise<number> {
  await db.query(
    sql`WITH released AS (
       UPDATE mandates SET status_index = NULL WHERE id IN (
         SELECT id FROM mandates WHERE status_index >= 0 AND expires_at < ${endedBefore}
          ORDER BY expires_at LIMIT ${RELEASED_AT_ONCE} FOR UPDATE SKIP LOCKED)
       RETURNING revoked_at)
     UPDATE status_lists SET version = version + 1 WHERE EXISTS (SELECT 1 FROM released WHERE revoked_at IS NOT NULL)`,
  )
  await releaseCredentialPlaces(db, endedBefore)
  const [row] = await db.query<Row<'StatusList', 'places_used'>>(
    sql`UPDATE status_lists SET places_used = (SELECT count(*) FROM mandates WHERE status_index >= 0)
     RETURNING places_used`,
  )
  return row?.places_used ?? 0
}

/** Reads the places of all revoked mandates and credentials, as one value, since thousands of rows would be slow. */
export async function listRevokedIndexes(db: Queryable): Promise<number[]> {
  const [row] = await db.query<{ places: string | null }>(
    sql`SELECT string_agg(status_index::text, ',') AS places FROM (
       SELECT status_index FROM mandates WHERE revoked_at IS NOT NULL AND status_index IS NOT NULL
       UNION ALL SELECT status_index FROM credential_places WHERE revoked_at IS NOT NULL) revoked`,
  )
  const places = row?.places ?? null
  return places === null ? [] : places.split(',').map(Number)
}
