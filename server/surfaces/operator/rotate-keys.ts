import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { keyPurposes } from '../../base/core/platform'
import { blockSigningKey, rotateSigningKeys } from '../../base/platform/keys/rotate-signing-keys'
import { recordOperatorAct } from '../../shared/audit'
import type { blockSigningKeyEndpoint, rotateSigningKeysEndpoint } from './contract'

type Rotate = typeof rotateSigningKeysEndpoint
type Block = typeof blockSigningKeyEndpoint

/** POST /operator/signing-keys/rotate: rotates the keys of one purpose, or of all. */
export async function rotateKeys(call: OperatorCall, { purpose }: InputOf<Rotate>): Promise<OutputOf<Rotate>> {
  const { platform, requestId } = call
  const purposes = purpose === undefined ? keyPurposes : [purpose]
  const rotated = await rotateSigningKeys(platform, purposes, (tx, keys, from) => {
    const to = keys.map(({ current }) => current)
    return recordOperatorAct(tx, call, { what: 'rotateSigningKeys', from, to, subjectId: purpose ?? null })
  })
  // Other processes load the new keys within a second, this one at once.
  await platform.keys.refresh()
  for (const key of rotated)
    platform.log.info('signing key rotated', { requestId, purpose: key.purpose, kid: key.current })
  return { rotated }
}

/** POST /operator/signing-keys/{kid}/block. */
export async function blockKey(call: OperatorCall, { kid }: InputOf<Block>): Promise<OutputOf<Block>> {
  const { platform, requestId } = call
  const keys = await blockSigningKey(platform, kid, (tx, from) =>
    recordOperatorAct(tx, call, { what: 'blockSigningKey', from, to: 'blocked', subjectId: kid }),
  )
  if (keys === null) throw new ServiceError('not_found', 'There is no such key.')
  await platform.keys.refresh()
  platform.log.warn('signing key blocked', { requestId, purpose: keys.purpose, kid })
  return { blocked: kid, ...keys }
}
