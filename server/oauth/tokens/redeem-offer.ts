import type { KeyCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { signAccessToken } from '../../base/protocol/access-token'
import { epochSeconds } from '../../base/protocol/claims'
import { sha256Base64url } from '../../base/protocol/encoding'
import { consumeReplayKeysSql, requireAdmission } from '../clients'
import {
  buildNoCredentialError,
  buildTxCodeError,
  buildUnusableCodeError,
  checkTxCode,
  countWrongTxCode,
  isOpen,
  type LockedOffer,
  lockOffer,
  type OfferRow,
  revokeToken,
  saveToken,
  spendOffer,
} from '../credential-offers'
import { pairwiseReference } from '../mandates'
import { requireOpaque } from './checks'
import type { TokenParameters } from './contract'
import type { TokenResponse } from './grant'
import { newTokenId } from './token-id'

/** The client_id, required by RFC 9068 section 2.2, for a wallet with an offer, which is no registered client. */
const NO_CLIENT = 'anonymous'

/**
 * Redeems a pre-authorized code (OpenID4VCI section 6) for an access token for one credential. A code that is used
 * again ends that token, because two parties have the code.
 */
export async function redeemOffer(call: KeyCall, input: TokenParameters): Promise<TokenResponse> {
  const { platform } = call
  const codeHash = sha256Base64url(requireOpaque(input['pre-authorized_code'], 'pre-authorized_code'))
  const outcome = await platform.db.transaction(async (tx) => {
    await consumeProof(tx, call)
    const locked = await lockOffer(tx, { codeHash })
    return locked === null ? buildUnusableCodeError() : redeemLocked(tx, call, { ...locked, txCode: input.tx_code })
  })
  // Thrown after the commit, so that changes by a refused request, such as a counted guess, are kept.
  if (outcome instanceof ServiceError) throw outcome
  return outcome
}

async function consumeProof(tx: Transaction, { actor: { replayKeys } }: KeyCall): Promise<void> {
  const fresh = await tx.query<{ key: string }>(consumeReplayKeysSql(replayKeys))
  requireAdmission({ active: true, fresh: fresh.map(({ key }) => key) }, replayKeys)
}

async function redeemLocked(
  tx: Transaction,
  { platform, actor, now }: KeyCall,
  { offer, isServed, txCode }: LockedOffer & { readonly txCode: string | undefined },
): Promise<TokenResponse | ServiceError> {
  const check = checkTxCode(platform, offer, txCode)
  if (!isOpen(offer, now)) {
    if (offer.redeemed_at !== null && check === 'right') await revokeToken(tx, offer.id, now)
    return buildUnusableCodeError()
  }
  if (check === 'wrong') await countWrongTxCode(tx, offer.id, now)
  if (check !== 'right') return buildTxCodeError(check, 'invalid_request')
  if (!isServed) {
    await spendOffer(tx, offer.id, now)
    return buildNoCredentialError()
  }
  const tokenId = newTokenId(offer.id, platform.random)
  await saveToken(tx, offer.id, { tokenId, now })
  return tokenFor(platform, offer, { jkt: actor.jkt, tokenId, now })
}

/** Signs a token only for the credential endpoint: its family is an offer, which no other endpoint accepts. */
function tokenFor(
  { config, keys }: Platform,
  { id, configuration, principal_id: principalId }: OfferRow,
  { jkt, tokenId, now }: { readonly jkt: string; readonly tokenId: string; readonly now: Date },
): TokenResponse {
  const { baseUrl, accessTokenTtlSeconds } = config
  const iat = epochSeconds(now)
  const claims = {
    iss: baseUrl,
    sub: principalId === null ? id : pairwiseReference(principalId, baseUrl),
    aud: baseUrl,
    client_id: NO_CLIENT,
    jti: tokenId,
    iat,
    exp: iat + accessTokenTtlSeconds,
    scope: configuration,
    cnf: { jkt },
  }
  return {
    access_token: signAccessToken(claims, keys.current('access_token')),
    token_type: 'DPoP',
    expires_in: accessTokenTtlSeconds,
    scope: configuration,
  }
}
