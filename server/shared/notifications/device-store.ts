import type { Database, Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { countSwept, SWEPT_AT_ONCE } from '../../base/core/swept'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { MessageLanguage } from './contract'

/** A browser that receives push messages, as its person sees it. */
export type Device = Row<
  'PushSubscription',
  'id' | 'device' | 'language' | 'created_at' | 'last_ok_at' | 'failing_since',
  { language: MessageLanguage }
>

/** SQL condition: the session of the device `d` was not ended; it may have expired. */
const isReachableSql: Sql = sql`NOT EXISTS (
  SELECT 1 FROM ended_sessions s WHERE s.principal_id = d.principal_id AND s.handle = d.session_handle)`

const columns = sql`d.id, d.device, d.language, d.created_at, d.last_ok_at, d.failing_since`

/** Returns the person's devices, the oldest first, without those whose session was ended. */
export async function listDevices(db: Queryable, principalId: string): Promise<Device[]> {
  return db.query<Device>(
    sql`SELECT ${columns} FROM push_subscriptions d
      WHERE d.principal_id = ${principalId} AND ${isReachableSql} ORDER BY d.created_at, d.id`,
  )
}

/** SQL query: the devices of the person as a JSON array. */
export const devicesSql = (principalId: Sql): Sql =>
  sql`SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'device', d.device, 'language', d.language)), '[]')
     FROM push_subscriptions d WHERE d.principal_id = ${principalId} AND ${isReachableSql}`

type Address = Row<
  'PushSubscription',
  'id' | 'endpoint_hash' | 'sealed_subscription' | 'language',
  { language: MessageLanguage }
>

/**
 * Returns a device that may receive messages, with its sealed address; null when it is gone, signed out, or its person
 * was erased.
 */
export async function findAddress(db: Queryable, id: string, principalId: string | null): Promise<Address | null> {
  const [row] = await db.query<Address>(
    sql`SELECT d.id, d.endpoint_hash, d.sealed_subscription, d.language
       FROM push_subscriptions d JOIN active_principals p ON p.id = d.principal_id
      WHERE d.id = ${id} AND d.principal_id = coalesce(${principalId}, d.principal_id) AND ${isReachableSql}`,
  )
  return row ?? null
}

interface HandedIn {
  readonly principalId: string
  readonly endpointHash: string
  readonly sealed: string
  readonly sessionHandle: string
  readonly language: MessageLanguage
}

interface NewDevice extends HandedIn {
  readonly id: string
  readonly device: string | null
  readonly now: Date
}

/**
 * Inserts or updates a device. A device with the same address is taken over: with a new id if it was another person's,
 * so that no message written for them arrives there.
 */
export async function saveDevice(tx: Transaction, device: NewDevice): Promise<void> {
  const { id, principalId, endpointHash, sealed, sessionHandle, device: label, language, now } = device
  await tx.query(
    sql`INSERT INTO push_subscriptions AS d
         (id, principal_id, endpoint_hash, sealed_subscription, session_handle, device, language, created_at)
       VALUES (${id}, ${principalId}, ${endpointHash}, ${sealed}, ${sessionHandle}, ${label}, ${language}, ${now})
       ON CONFLICT (endpoint_hash) DO UPDATE
         SET id = CASE WHEN d.principal_id = excluded.principal_id THEN d.id ELSE excluded.id END,
             principal_id = excluded.principal_id, sealed_subscription = excluded.sealed_subscription,
             session_handle = excluded.session_handle, device = excluded.device, language = excluded.language,
             created_at = CASE WHEN d.principal_id = excluded.principal_id THEN d.created_at ELSE excluded.created_at END,
             last_ok_at = CASE WHEN d.principal_id = excluded.principal_id THEN d.last_ok_at END, failing_since = NULL`,
  )
}

/** Returns whether the person has a device with this address that may receive messages. */
export async function hasDevice(db: Queryable, principalId: string, endpointHash: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 FROM push_subscriptions d
      WHERE d.principal_id = ${principalId} AND d.endpoint_hash = ${endpointHash} AND ${isReachableSql}`,
  )
  return rows.length === 1
}

/**
 * Updates the person's device with the address `known` to the subscription that its browser sends now; returns null
 * when the person has no such device that may receive messages.
 */
export async function renewDevice(
  tx: Transaction,
  known: string,
  { principalId, endpointHash, sealed, sessionHandle, language }: HandedIn,
): Promise<Device | null> {
  const [row] = await tx.query<Device>(
    sql`UPDATE push_subscriptions d
        SET endpoint_hash = ${endpointHash}, sealed_subscription = ${sealed}, session_handle = ${sessionHandle},
            language = ${language}
      WHERE d.principal_id = ${principalId} AND d.endpoint_hash = ${known} AND ${isReachableSql} RETURNING ${columns}`,
  )
  return row ?? null
}

/** Moves the person's devices from a session that has not ended to the session that replaces it. */
export async function handOnDevices(db: Queryable, principalId: string, from: string, to: string): Promise<void> {
  await db.query(
    sql`UPDATE push_subscriptions d SET session_handle = ${to}
      WHERE d.principal_id = ${principalId} AND d.session_handle = ${from} AND ${isReachableSql}`,
  )
}

/** Deletes the device with this address when it is another person's, or one of the person's own that has signed out. */
export async function releaseDevice(tx: Transaction, principalId: string, endpointHash: string): Promise<void> {
  await tx.query(
    sql`DELETE FROM push_subscriptions d WHERE d.endpoint_hash = ${endpointHash}
        AND (d.principal_id <> ${principalId} OR NOT (${isReachableSql}))`,
  )
}

/** Deletes a device of the person and returns it; null when they had none with this id. */
export async function deleteDevice(
  db: Queryable,
  id: string,
  principalId: string,
): Promise<Pick<Device, 'id' | 'device'> | null> {
  const [row] = await db.query<Pick<Device, 'id' | 'device'>>(
    sql`DELETE FROM push_subscriptions WHERE id = ${id} AND principal_id = ${principalId} RETURNING id, device`,
  )
  return row ?? null
}

/** Deletes a device that its push service no longer knows, unless its address was renewed meanwhile. */
export async function deleteGoneDevice(db: Queryable, { id, endpoint_hash: hash }: Address): Promise<void> {
  await db.query(sql`DELETE FROM push_subscriptions WHERE id = ${id} AND endpoint_hash = ${hash}`)
}

/** Records whether the push service accepted a message. */
export async function markDevice(
  db: Queryable,
  id: string,
  { isOk, now }: { isOk: boolean; now: Date },
): Promise<void> {
  await db.query(
    isOk
      ? sql`UPDATE push_subscriptions SET last_ok_at = ${now}, failing_since = NULL WHERE id = ${id}`
      : sql`UPDATE push_subscriptions SET failing_since = coalesce(failing_since, ${now}) WHERE id = ${id}`,
  )
}

/** Deletes the person's devices, since they were signed out, except those of one session if it is given. */
export async function forgetDevices(db: Queryable, principalId: string, exceptHandle: string | null): Promise<void> {
  await db.query(
    sql`DELETE FROM push_subscriptions
      WHERE principal_id = ${principalId} AND session_handle IS DISTINCT FROM ${exceptHandle}`,
  )
}

/** Deletes devices whose session was ended. */
export function sweepDevices(db: Database): Promise<number> {
  return countSwept(
    db,
    sql`DELETE FROM push_subscriptions WHERE id IN
       (SELECT d.id FROM push_subscriptions d WHERE NOT (${isReachableSql}) LIMIT ${SWEPT_AT_ONCE})`,
  )
}

export const listSealedSubscriptions: SealedColumn['list'] = (db, query) =>
  db.query<SealedRow>(
    sql`SELECT endpoint_hash AS id, sealed_subscription AS sealed FROM push_subscriptions
      WHERE ${sealedOtherwiseSql(sql`sealed_subscription`, query)} LIMIT ${query.limit}`,
  )

export const replaceSealedSubscription: SealedColumn['replace'] = (db, { id, sealed }, resealed) =>
  db.query(
    sql`UPDATE push_subscriptions SET sealed_subscription = ${resealed}
      WHERE endpoint_hash = ${id} AND sealed_subscription = ${sealed}`,
  )
