import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { SigningKey } from '../../base/protocol/eddsa'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { thumbprintOf } from '../../base/protocol/key-import'

function contextOf(merchantId: string): string {
  return `sandbox-merchant-key/${merchantId}`
}

/** Gives the merchant the key that it signs its catalog with, unless it has one. */
export async function ensureMerchantKey({ db, sealer }: Platform, merchantId: string): Promise<void> {
  const pair = generateKeyPairSync('ed25519')
  const jwk = parsePublicJwk(pair.publicKey.export({ format: 'jwk' }))
  const publicJwk = { ...jwk, kid: await thumbprintOf(jwk), use: 'sig', alg: 'EdDSA' }
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  await db.query(
    sql`INSERT INTO sandbox_merchant_keys (merchant_id, public_jwk, sealed_private_key)
     VALUES (${merchantId}, ${JSON.stringify(publicJwk)}::jsonb, ${sealer.seal(pkcs8, contextOf(merchantId))}) ON CONFLICT (merchant_id) DO NOTHING`,
  )
}

interface KeyRow {
  readonly public_jwk: Readonly<Record<string, string>> & { readonly kid: string }
  readonly sealed_private_key: string
}

async function readRow({ db }: Platform, merchantId: string): Promise<KeyRow> {
  const [row] = await db.query<KeyRow>(
    sql`SELECT public_jwk, sealed_private_key FROM sandbox_merchant_keys WHERE merchant_id = ${merchantId}`,
  )
  invariant(row !== undefined, 'every sandbox merchant is seeded with a key')
  return row
}

/** What the merchant publishes for verifiers of its catalog. */
export async function readMerchantPublicJwk(platform: Platform, merchantId: string) {
  return (await readRow(platform, merchantId)).public_jwk
}

/** What the merchant signs its catalog with. */
export async function readMerchantSigningKey(platform: Platform, merchantId: string): Promise<SigningKey> {
  const row = await readRow(platform, merchantId)
  const key = platform.sealer.open(row.sealed_private_key, contextOf(merchantId))
  return { kid: row.public_jwk.kid, privateKey: createPrivateKey({ key, type: 'pkcs8', format: 'der' }) }
}
