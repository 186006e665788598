import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { invariant } from '../core/invariant'
import type { Platform } from '../core/platform'
import { parsePublicJwk, thumbprint } from '../protocol/jwk'
import type { SigningKey } from '../protocol/jws'

function contextOf(merchantId: string): string {
  return `sandbox-merchant-key/${merchantId}`
}

/** Gives the merchant the key that it signs its catalog with, unless it has one. */
export async function ensureMerchantKey({ db, sealer }: Platform, merchantId: string): Promise<void> {
  const pair = generateKeyPairSync('ed25519')
  const jwk = parsePublicJwk(pair.publicKey.export({ format: 'jwk' }))
  const publicJwk = { ...jwk, kid: thumbprint(jwk), use: 'sig', alg: 'EdDSA' }
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  await db.query(
    `INSERT INTO sandbox_merchant_keys (merchant_id, public_jwk, sealed_private_key)
     VALUES ($1, $2::jsonb, $3) ON CONFLICT (merchant_id) DO NOTHING`,
    [merchantId, JSON.stringify(publicJwk), sealer.seal(pkcs8, contextOf(merchantId))],
  )
}

interface KeyRow {
  readonly public_jwk: Readonly<Record<string, string>> & { readonly kid: string }
  readonly sealed_private_key: string
}

async function readRow({ db }: Platform, merchantId: string): Promise<KeyRow> {
  const [row] = await db.query<KeyRow>(
    'SELECT public_jwk, sealed_private_key FROM sandbox_merchant_keys WHERE merchant_id = $1',
    [merchantId],
  )
  invariant(row !== undefined, 'every sandbox merchant is seeded with a key')
  return row
}

/** What the merchant publishes for whoever verifies its catalog. */
export async function readMerchantPublicJwk(platform: Platform, merchantId: string) {
  return (await readRow(platform, merchantId)).public_jwk
}

/** What the merchant signs its catalog with. */
export async function readMerchantSigningKey(platform: Platform, merchantId: string): Promise<SigningKey> {
  const row = await readRow(platform, merchantId)
  const key = platform.sealer.open(row.sealed_private_key, contextOf(merchantId))
  return { kid: row.public_jwk.kid, privateKey: createPrivateKey({ key, type: 'pkcs8', format: 'der' }) }
}
