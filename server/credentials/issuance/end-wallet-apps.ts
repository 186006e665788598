import type { Transaction } from '../../base/core/platform'
import { endOwnOffers } from '../../oauth/credential-offers'
import { moveStatusList, revokeCredentialPlaces } from '../../oauth/mandates'
import { type Means, recordPersonAct } from '../../shared/audit'
import { revokeOwnRowsSince } from './store'

interface WalletAppsEnd {
  readonly actor: { readonly principalId: string; readonly tenantId: string }
  readonly means: Means
  readonly since: Date
  readonly now: Date
}

/**
 * Ends the wallet apps that the person added at this instant or later, and every offer whose credential none has
 * fetched yet. The caller holds the person's lock, and afterwards locks only the head of their audit chain.
 */
export async function endWalletAppsSince(tx: Transaction, end: WalletAppsEnd): Promise<void> {
  const { actor, means, since, now } = end
  const { principalId } = actor
  // Before the credentials, so that one which is being issued now is revoked too.
  await endOwnOffers(tx, { principalId, now })
  const ids = await revokeOwnRowsSince(tx, { principalId, since, now })
  const isListed = await revokeCredentialPlaces(tx, ids, now)
  for (const id of ids) {
    const payload = { what: 'credential', from: 'active', to: 'revoked', means } as const
    await recordPersonAct(tx, end, {
      event: 'oid4ac.credential.changed',
      payload: { ...payload, credential_id: id, offer_id: null },
    })
  }
  if (isListed) await moveStatusList(tx)
}
