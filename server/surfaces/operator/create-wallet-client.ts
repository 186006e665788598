import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { parseScopes } from '../../base/contract/parse-scopes'
import type { OperatorCall } from '../../base/core/call'
import { buildFieldError } from '../../base/core/errors'
import { parseJwks } from '../../base/protocol/jwks'
import { thumbprintOf } from '../../base/protocol/key-import'
import { insertWalletClient } from '../../oauth/clients'
import { recordOperatorAct } from '../../shared/audit'
import type { createWalletClientEndpoint } from './contract'
import { parseField } from './parse-field'

type Create = typeof createWalletClientEndpoint

/**
 * POST /operator/wallet-clients. Only Ed25519 keys may be registered, since assertions of wallet clients use no other
 * algorithm.
 */
export async function createWalletClient(
  call: OperatorCall,
  { name, jwks, scope }: InputOf<Create>,
): Promise<OutputOf<Create>> {
  const { platform, now } = call
  const keys = await parseField('jwks', () => parseJwks(jwks))
  if (keys.some((key) => key.kty !== 'OKP')) throw buildFieldError(['body', 'jwks'], 'Every key must be an Ed25519 key')
  const scopes = parseScopes(scope) ?? ['audit:read']
  const id = platform.random.uuid()
  const client = {
    id,
    kind: 'wallet',
    tenantId: id,
    principalId: null,
    name,
    purpose: null,
    redirectUris: [],
    grantTypes: [],
    scope: scopes,
    jwks: keys,
  } as const
  const metadata = { client_name: name, jwks: { keys }, scope: scopes.join(' ') }
  const thumbprints = await Promise.all(keys.map((key) => thumbprintOf(key)))
  await platform.db.transaction(async (tx) => {
    await insertWalletClient(tx, { client, metadata, now })
    // In the portal's audit chain: the new tenant's begins with its own acts.
    const to = { scope: scopes, key_thumbprints: thumbprints }
    await recordOperatorAct(tx, call, { what: 'createWalletClient', from: null, to, subjectId: id })
  })
  return { client_id: id }
}
