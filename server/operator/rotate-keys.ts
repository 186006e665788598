import type { InputOf, OutputOf } from '../contract/endpoint'
import type { OperatorCall } from '../core/call'
import { keyPurposes } from '../core/platform'
import { rotateSigningKeys } from '../platform/keys/rotate-signing-keys'
import type { rotateSigningKeysEndpoint } from './contract'

type Rotate = typeof rotateSigningKeysEndpoint

/** POST /operator/signing-keys/rotate: one purpose, or all of them. */
export async function rotateKeys(
  { platform, requestId }: OperatorCall,
  { purpose }: InputOf<Rotate>,
): Promise<OutputOf<Rotate>> {
  const rotated = await rotateSigningKeys(platform, purpose === undefined ? keyPurposes : [purpose])
  for (const key of rotated)
    platform.log.info('signing key rotated', { requestId, purpose: key.purpose, kid: key.current })
  return { rotated }
}
