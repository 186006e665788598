import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { invariant } from '../../base/core/invariant'
import type { Platform, Queryable, Sealer } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { VapidKey } from '../../base/protocol/web-push'

/** The id of the only row. */
const OWN = 'own'
/** The first byte of an uncompressed point (SEC 1 section 2.3.3). */
const UNCOMPRESSED = 4

const contextOf = (id: string): string => `push-key/${id}`

type KeyRow = Row<'PushKey', 'public_key' | 'sealed_private_key'>

/**
 * Returns the key by which push services recognize this server. It is the same in all processes and never changes,
 * since a subscription accepts only messages under the key with which it was made (RFC 8292 section 4). Created when it
 * is first needed; of several processes, only one creates it.
 */
export async function readPushKey({ db, sealer, clock }: Pick<Platform, 'db' | 'sealer' | 'clock'>): Promise<VapidKey> {
  const known = await findKey(db)
  if (known !== null) return openKey(sealer, known)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  await db.query(
    sql`INSERT INTO push_key (id, public_key, sealed_private_key, created_at)
     VALUES (${OWN}, ${pointOf(publicKey)}, ${sealer.seal(pkcs8, contextOf(OWN))}, ${clock.now()}) ON CONFLICT DO NOTHING`,
  )
  const made = await findKey(db)
  invariant(made !== null, 'a key that was just written is there')
  return openKey(sealer, made)
}

async function findKey(db: Queryable): Promise<KeyRow | null> {
  const [row] = await db.query<KeyRow>(sql`SELECT public_key, sealed_private_key FROM push_key WHERE id = ${OWN}`)
  return row ?? null
}

function openKey(sealer: Sealer, row: KeyRow): VapidKey {
  const key = sealer.open(row.sealed_private_key, contextOf(OWN))
  return { publicKey: row.public_key, privateKey: createPrivateKey({ key, type: 'pkcs8', format: 'der' }) }
}

/** Returns the public key in the form that browsers need: an uncompressed point in base64url. */
function pointOf(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinates = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'))
  return Buffer.concat([Buffer.from([UNCOMPRESSED]), ...coordinates]).toString('base64url')
}

/** The sealed column with the private part of the key for push services. */
export const sealedPushKey: SealedColumn = {
  what: 'keys for push services',
  contextOf,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT id, sealed_private_key AS sealed FROM push_key
        WHERE ${sealedOtherwiseSql(sql`sealed_private_key`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE push_key SET sealed_private_key = ${resealed} WHERE id = ${id} AND sealed_private_key = ${sealed}`,
    ),
}
