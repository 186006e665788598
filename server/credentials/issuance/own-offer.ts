import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { endOfferAbout, findOfferAbout, isOpen, type OfferRow } from '../../oauth/credential-offers'
import type { OwnOfferState, ownCredentialProcedure } from './contract'
import { wasIssuedAt } from './store'

type Named = ProcedureInput<typeof ownCredentialProcedure>

/** Returns the state of an offer about the person. 404 for another person's offer. */
export async function readOwnOffer(call: WalletCall, { id }: Named): Promise<OwnOfferState> {
  const offer = await findOfferAbout(call.platform.db, id, call.actor.principalId)
  if (offer === null) throw new ServiceError('not_found', 'There is no such offer.')
  return { id, status: await statusOf(call, offer), expires_at: offer.expires_at.toISOString() }
}

async function statusOf(call: WalletCall, offer: OfferRow): Promise<OwnOfferState['status']> {
  const { platform, actor, now } = call
  if (offer.issued_at !== null) {
    // An offer is also spent when the person may not get credentials any more.
    return (await wasIssuedAt(platform.db, actor.principalId, offer.issued_at)) ? 'added' : 'ended'
  }
  if (offer.ended_at !== null || offer.token_revoked_at !== null) return 'ended'
  if (offer.redeemed_at === null) return isOpen(offer, now) ? 'open' : 'expired'
  const tokenEnd = offer.redeemed_at.getTime() + platform.config.accessTokenTtlSeconds * 1000
  return tokenEnd > now.getTime() ? 'taken' : 'expired'
}

/** Cancels an offer about the person unless a wallet app has fetched its credential. 404 for another person's offer. */
export async function cancelOwnOffer(call: WalletCall, input: Named): Promise<OwnOfferState> {
  const { platform, actor, now } = call
  await endOfferAbout(platform.db, input.id, { principalId: actor.principalId, now })
  return readOwnOffer(call, input)
}
