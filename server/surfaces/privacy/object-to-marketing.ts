import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { lockPrincipal, objectToMarketing as saveObjection } from '../../shared/principals'
import { openRequest } from './open-request'

/** Records that the person objects to marketing. Nothing else changes, nor does anything when it is repeated. */
export async function objectToMarketing(call: WalletCall): Promise<{ readonly marketing_objected: true }> {
  const { platform, actor } = call
  await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, actor.principalId)
    await openRequest(tx, call, { kind: 'objection', result: 'objected' })
    await saveObjection(tx, actor.principalId)
  })
  await announceChange(platform, actor.principalId)
  return { marketing_objected: true }
}
