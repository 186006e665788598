import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import { type SealedColumn, type SealedRow, sealedOtherwiseSql } from '../../base/platform/keys/reseal'
import type { SigningKey } from '../../base/protocol/eddsa'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { thumbprintOf } from '../../base/protocol/key-import'

function contextOf(merchantId: string): string {
  return `sandbox-merchant-key/${merchantId}`
}

/** Creates the key with which the merchant signs its catalog, unless it has one. */
export async function ensureMerchantKey({ db, sealer }: Platform, merchantId: string): Promise<void> {
  const pair = generateKeyPairSync('ed25519')
  const jwk = parsePublicJwk(pair.publicKey.export({ format: 'jwk' }))
  const publicJwk = { ...jwk, kid: await thumbprintOf(jwk), use: 'sig', alg: 'EdDSA' }
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  // Of two processes that start at once, the first stores its key.
  await db.prisma.sandboxMerchantKey.createMany({
    data: {
      merchant_id: merchantId,
      public_jwk: publicJwk,
      sealed_private_key: sealer.seal(pkcs8, contextOf(merchantId)),
    },
    skipDuplicates: true,
  })
}

type KeyRow = Row<
  'SandboxMerchantKey',
  'public_jwk' | 'sealed_private_key',
  { public_jwk: Readonly<Record<string, string>> & { readonly kid: string } }
>

async function findKey({ db }: Platform, merchantId: string): Promise<KeyRow> {
  const key = await db.prisma.sandboxMerchantKey.findUnique({
    where: { merchant_id: merchantId },
    select: { public_jwk: true, sealed_private_key: true },
  })
  invariant(key !== null, 'every sandbox merchant is seeded with a key')
  return rowOf<KeyRow>(key)
}

/** Returns the public key that verifies the merchant's catalog. */
export async function readMerchantPublicJwk(platform: Platform, merchantId: string) {
  return (await findKey(platform, merchantId)).public_jwk
}

/** Returns the key that signs the merchant's catalog. */
export async function readMerchantSigningKey(platform: Platform, merchantId: string): Promise<SigningKey> {
  const row = await findKey(platform, merchantId)
  const key = platform.sealer.open(row.sealed_private_key, contextOf(merchantId))
  return { kid: row.public_jwk.kid, privateKey: createPrivateKey({ key, type: 'pkcs8', format: 'der' }) }
}

/** The private parts of the merchants' keys. */
export const sealedMerchantKeys: SealedColumn = {
  what: 'keys of sandbox merchants',
  contextOf,
  list: (db, query) =>
    db.query<SealedRow>(
      sql`SELECT merchant_id AS id, sealed_private_key AS sealed FROM sandbox_merchant_keys
        WHERE ${sealedOtherwiseSql(sql`sealed_private_key`, query)} LIMIT ${query.limit}`,
    ),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE sandbox_merchant_keys SET sealed_private_key = ${resealed} WHERE merchant_id = ${id} AND sealed_private_key = ${sealed}`,
    ),
}
