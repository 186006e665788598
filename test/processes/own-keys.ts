import { createPrivateKey } from 'node:crypto'
import type { Queryable } from '@/server/base/core/platform'
import { type SealedColumn, sealedSigningKeys } from '@/server/base/platform/keys/reseal'
import { createSealer } from '@/server/base/platform/keys/sealer'
import { systemRandomness } from '@/server/base/platform/random'
import { sealedPresentationRequests, sealedRelyingPartyKey } from '@/server/credentials/presentations'
import { sealedPushKey } from '@/server/shared/notifications'

const ALL = { formats: ['v1.', 'v2.'], notUnder: [], after: '', limit: 1_000 } as const

/** The private keys that a server has made and sealed in its database, by name, as the `d` of a JWK. */
export async function openOwnKeys(db: Queryable, keyEncryptionKey: string): Promise<Map<string, string>> {
  const sealer = createSealer([Buffer.from(keyEncryptionKey, 'hex')], systemRandomness)
  const open = async (column: SealedColumn) => {
    const rows = await column.list(db, ALL)
    if (rows.length === 0) throw new Error(`there are no ${column.what}`)
    return rows.map(({ id, sealed }) => sealer.open(sealed, column.contextOf(id)))
  }
  const keys = [
    ['signing key', (await open(sealedSigningKeys)).map(privatePartOf)],
    ['key for push services', (await open(sealedPushKey)).map(privatePartOf)],
    ['key of the access certificate', (await open(sealedRelyingPartyKey)).map(privatePartOf)],
    ['key of a presentation request', (await open(sealedPresentationRequests)).map(responseKeyOf)],
  ] as const
  return new Map(keys.flatMap(([name, values]) => values.map((value, at) => [`${name} ${at}`, value] as const)))
}

function privatePartOf(pkcs8: Buffer): string {
  return createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' }).export({ format: 'jwk' }).d ?? ''
}

/** The key that a wallet encrypts its response to. */
function responseKeyOf(request: Buffer): string {
  const { responseKey } = JSON.parse(request.toString()) as { responseKey: { privateJwk: { d: string } } }
  return responseKey.privateJwk.d
}
