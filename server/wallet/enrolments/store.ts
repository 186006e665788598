import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { JsonObject } from '../../base/protocol/encoding'
import type { Refusal } from './contract'

/** The roles that an entity of the federation may have on this server. */
export const enrolmentRoles = ['merchant', 'agent_operator'] as const
export type EnrolmentRole = (typeof enrolmentRoles)[number]

export interface EnrolmentName {
  readonly role: EnrolmentRole
  readonly entityId: string
}

export type EnrolmentRow = Readonly<
  Row<
    'Enrolment',
    | 'role'
    | 'entity_id'
    | 'refusal'
    | 'since'
    | 'verified_until'
    | 'lapses_as'
    | 'checked_at'
    | 'revision'
    | 'path'
    | 'name'
    | 'keys',
    {
      role: EnrolmentRole
      refusal: Refusal | null
      lapses_as: 'mark_expired' | 'unreachable' | null
      path: readonly string[]
      keys: readonly JsonObject[]
    }
  >
>

const columns = sql`role, entity_id, refusal, since, verified_until, lapses_as, checked_at, revision, path, name, keys`

/**
 * Enrols an entity and marks it due for a check; an enrolled one stays as it is. The row stays locked until the commit,
 * so that no other transaction deletes it.
 */
export async function ensureEnrolment(db: Queryable, { role, entityId }: EnrolmentName, now: Date): Promise<void> {
  await db.query(
    sql`INSERT INTO enrolments (role, entity_id, refusal, since, check_at)
     VALUES (${role}, ${entityId}, 'unchecked', ${now}, ${now})
     ON CONFLICT (role, entity_id) DO UPDATE SET check_at = enrolments.check_at`,
  )
}

/** Locks the enrolment until the commit, so that no other transaction enrols or deletes the entity meanwhile. */
export async function lockEnrolment(tx: Transaction, { role, entityId }: EnrolmentName): Promise<void> {
  await tx.query(sql`SELECT 1 FROM enrolments WHERE role = ${role} AND entity_id = ${entityId} FOR UPDATE`)
}

/** Deletes the enrolment of an entity that no longer has the role. */
export async function deleteEnrolment(db: Queryable, { role, entityId }: EnrolmentName): Promise<void> {
  await db.query(sql`DELETE FROM enrolments WHERE role = ${role} AND entity_id = ${entityId}`)
}

/** Returns the ids of the entities enrolled in a role. */
export async function listEnrolledIds(db: Queryable, role: EnrolmentRole): Promise<string[]> {
  const rows = await db.query<Pick<EnrolmentRow, 'entity_id'>>(
    sql`SELECT entity_id FROM enrolments WHERE role = ${role}`,
  )
  return rows.map((row) => row.entity_id)
}

/** Returns the enrolments of the named entities in a role, by entity id. */
export async function readEnrolments(
  db: Queryable,
  role: EnrolmentRole,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, EnrolmentRow>> {
  const rows = await db.query<EnrolmentRow>(
    sql`SELECT ${columns} FROM enrolments WHERE role = ${role} AND entity_id = ANY (${entityIds}::text[])`,
  )
  return new Map(rows.map((row) => [row.entity_id, row]))
}

/** The seconds between two checks of an entity; up to nine are added by a hash of the id, to spread the checks. */
const CHECKED_EVERY_SECONDS = 20

interface Due {
  /** Whether to claim one of the entities that are slow to answer. */
  readonly isSlow: boolean
  readonly now: Date
}

/**
 * Claims the entity whose check is most overdue, so that no other process checks it at the same time; null when none is
 * due.
 */
export async function claimDueEnrolment(db: Queryable, { isSlow, now }: Due): Promise<EnrolmentRow | null> {
  const [row] = await db.query<EnrolmentRow>(
    sql`WITH due AS MATERIALIZED (
       SELECT role AS due_role, entity_id AS due_id FROM enrolments
        WHERE check_at <= ${now} AND is_slow = ${isSlow} ORDER BY check_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE enrolments SET check_at = ${now}::timestamptz
           + make_interval(secs => ${CHECKED_EVERY_SECONDS} + abs(hashtext(entity_id) % 10))
       FROM due WHERE role = due_role AND entity_id = due_id
      RETURNING ${columns}`,
  )
  return row ?? null
}

/** Marks an entity that was too slow to answer as slow and due at once, so that it is checked among the slow ones. */
export async function moveToSlow(
  db: Queryable,
  { role, entity_id: entityId }: Pick<EnrolmentRow, 'role' | 'entity_id'>,
  now: Date,
): Promise<void> {
  await db.query(
    sql`UPDATE enrolments SET is_slow = true, check_at = ${now} WHERE role = ${role} AND entity_id = ${entityId}`,
  )
}

/** Marks an entity that answered quickly as no longer slow, so that it is checked among all others. */
export async function takeFromSlow(
  db: Queryable,
  { role, entity_id: entityId }: Pick<EnrolmentRow, 'role' | 'entity_id'>,
): Promise<void> {
  await db.query(sql`UPDATE enrolments SET is_slow = false WHERE role = ${role} AND entity_id = ${entityId}`)
}

/** The result of a check that verified an entity. */
export interface Verification {
  readonly verifiedUntil: Date
  /** The reason for which the entity is refused after `verifiedUntil`. */
  readonly lapsesAs: 'mark_expired' | 'unreachable'
  /** The ids of the entities in its trust chain, itself first. */
  readonly path: readonly string[]
  readonly name: string | null
  readonly keys: readonly JsonObject[]
  readonly keyThumbprints: readonly string[]
}

/** The enrolment that a check is about, with its revision when the check began. */
type EnrolmentVersion = Pick<EnrolmentRow, 'role' | 'entity_id' | 'revision'>

/** Saves a successful check; returns false when a decision refused or deleted the enrolment since the check began. */
export async function saveVerification(
  db: Queryable,
  { role, entity_id: entityId, revision }: EnrolmentVersion,
  { verification, now }: { readonly verification: Verification; readonly now: Date },
): Promise<boolean> {
  const { verifiedUntil, lapsesAs, path, name, keys, keyThumbprints } = verification
  const rows = await db.query(
    sql`UPDATE enrolments SET refusal = NULL, verified_until = ${verifiedUntil}, lapses_as = ${lapsesAs},
            since = CASE WHEN verified_until > ${now} THEN since ELSE ${now} END, checked_at = ${now},
            path = ${JSON.stringify(path)}::jsonb, name = ${name}, keys = ${JSON.stringify(keys)}::jsonb,
            key_thumbprints = ${JSON.stringify(keyThumbprints)}::jsonb
      WHERE role = ${role} AND entity_id = ${entityId} AND revision = ${revision} RETURNING role`,
  )
  return rows.length === 1
}

/**
 * Saves the reason why a check failed; returns false when it is the same as before, or a decision refused or deleted
 * the enrolment since the check began.
 */
export async function saveRefusal(
  db: Queryable,
  { role, entity_id: entityId, revision }: EnrolmentVersion,
  { refusal, now }: { readonly refusal: Refusal; readonly now: Date },
): Promise<boolean> {
  const [row] = await db.query<{ is_new: boolean }>(
    sql`WITH before AS (SELECT refusal FROM enrolments WHERE role = ${role} AND entity_id = ${entityId})
     UPDATE enrolments AS e SET refusal = ${refusal}, verified_until = NULL, lapses_as = NULL, checked_at = ${now},
            since = CASE WHEN e.refusal = ${refusal} THEN e.since ELSE ${now} END
       FROM before
      WHERE e.role = ${role} AND e.entity_id = ${entityId} AND e.revision = ${revision}
      RETURNING before.refusal IS DISTINCT FROM ${refusal} AS is_new`,
  )
  return row?.is_new ?? false
}

/**
 * Records that a new entity could not be reached. A verification stays until it lapses, and a refusal stays as it is.
 */
export async function noteUnreachable(
  db: Queryable,
  { role, entity_id: entityId }: EnrolmentVersion,
  now: Date,
): Promise<void> {
  await db.query(
    sql`UPDATE enrolments SET refusal = 'unreachable', since = ${now}
      WHERE role = ${role} AND entity_id = ${entityId} AND refusal = 'unchecked'`,
  )
}

interface EnrolmentRefusal {
  readonly refusal: Refusal
  readonly now: Date
}

/** Refuses an entity at once, in the transaction of the decision; a running check cannot undo it. */
export async function updateRefused(
  tx: Transaction,
  { role, entityId }: { readonly role: EnrolmentRole | null; readonly entityId: string },
  { refusal, now }: EnrolmentRefusal,
): Promise<void> {
  await tx.query(
    sql`UPDATE enrolments SET refusal = ${refusal}, since = ${now}, verified_until = NULL, lapses_as = NULL,
            revision = revision + 1
      WHERE entity_id = ${entityId} AND (${role}::text IS NULL OR role = ${role})`,
  )
}

/** Refuses all entities whose trust chain contains another entity. */
export async function updateRefusedBelow(tx: Transaction, superior: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE enrolments SET refusal = 'unresolvable', since = ${now}, verified_until = NULL, lapses_as = NULL,
            revision = revision + 1
      WHERE refusal IS NULL AND path @> jsonb_build_array(${superior}::text) AND entity_id <> ${superior}`,
  )
}

/** Marks an entity, and all entities whose trust chain contains it, as due for a check. */
export async function recheck(tx: Transaction, entityId: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE enrolments SET check_at = ${now}
      WHERE entity_id = ${entityId} OR path @> jsonb_build_array(${entityId}::text)`,
  )
}

/** Refuses every verified entity, since the federation is switched off. */
export async function updateAllRefused(db: Queryable, now: Date): Promise<void> {
  await db.query(
    sql`UPDATE enrolments SET refusal = 'federation_off', since = ${now}, verified_until = NULL, lapses_as = NULL,
            revision = revision + 1
      WHERE refusal IS NULL`,
  )
}

/**
 * Returns the verified operator of agents that owns all these keys, given by RFC 7638 thumbprints; null when there is
 * none, or more than one.
 */
export async function findAgentOperator(
  db: Queryable,
  thumbprints: readonly string[],
  now: Date,
): Promise<{ readonly entityId: string; readonly name: string | null } | null> {
  if (thumbprints.length === 0) return null
  const rows = await db.query<Pick<EnrolmentRow, 'entity_id' | 'name'>>(
    sql`SELECT entity_id, name FROM enrolments
      WHERE role = 'agent_operator' AND verified_until > ${now}
        AND key_thumbprints @> ${JSON.stringify(thumbprints)}::jsonb LIMIT 2`,
  )
  const [row] = rows
  return row === undefined || rows.length > 1 ? null : { entityId: row.entity_id, name: row.name }
}
