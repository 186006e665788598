import { Reply } from '../../base/contract/reply'
import type { Call, ClientActor, ClientCall, KeyActor } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { failpoint } from '../../base/core/failpoints'
import type { Transaction } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { PRE_AUTHORIZED_GRANT } from '../credential-offers/contract'
import type { TokenParameters } from './contract'
import type { PreparedGrant, TokenResponse } from './grant'
import { answerTokenRequestOnce } from './idempotency'
import { prepareRedemption } from './redeem-code'
import { redeemOffer } from './redeem-offer'
import { prepareRotation } from './rotate-refresh'

type TokenRequest = TokenParameters & {
  readonly bodyDigest: string
  readonly headers: { readonly 'idempotency-key': string | undefined }
}

/** POST /oauth/token: the two grants of agents, and that of a wallet with a credential offer. */
export async function issueTokens(
  call: Call<ClientActor | KeyActor>,
  input: TokenRequest,
): Promise<TokenResponse | Reply> {
  const { actor } = call
  return actor.kind === 'key' ? redeemOffer({ ...call, actor }, input) : issueToAgent({ ...call, actor }, input)
}

/**
 * Runs the grants of RFC 6749 sections 4.1.3 and 6. With an Idempotency-Key, the same bytes get the same answer while
 * its access token is valid.
 */
async function issueToAgent(call: ClientCall, input: TokenRequest): Promise<TokenResponse | Reply> {
  const { 'idempotency-key': key } = input.headers
  if (key === undefined) return issue(call, input)
  const text = await answerTokenRequestOnce(call, { key, bodyDigest: input.bodyDigest }, async (save) => {
    const grant = await prepareGrant(call, input)
    const issueIn = async (tx: Transaction) => {
      const outcome = await grant.write(tx)
      if (!outcome.done) return () => grant.explain(outcome.fresh)
      await failpoint('token.after_consume')
      const reply = JSON.stringify(grant.reply(outcome))
      await save(tx, { reply, familyId: grant.familyId })
      await failpoint('token.before_commit')
      return async () => reply
    }
    const answer = await retryOnStatusIndexConflict(() => call.platform.db.transaction(issueIn))
    await failpoint('token.after_commit')
    return answer
  })
  return Reply.renderedJson(text)
}

async function issue(call: ClientCall, input: TokenParameters): Promise<TokenResponse> {
  const grant = await prepareGrant(call, input)
  const outcome = await retryOnStatusIndexConflict(() => grant.write(call.platform.db))
  await failpoint('token.after_commit')
  return outcome.done ? grant.reply(outcome) : grant.explain(outcome.fresh)
}

function prepareGrant(call: ClientCall, input: TokenParameters): Promise<PreparedGrant> {
  const { grant_type: grantType } = input
  if (grantType === undefined) throw new ServiceError('invalid_request', 'grant_type is required.')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new ServiceError(
      'unsupported_grant_type',
      `grant_type must be authorization_code, refresh_token or ${PRE_AUTHORIZED_GRANT}.`,
    )
  }
  if (!call.actor.client.grantTypes.includes(grantType)) {
    throw new ServiceError('unauthorized_client', 'The client did not register for this grant.')
  }
  return grantType === 'authorization_code' ? prepareRedemption(call, input) : prepareRotation(call, input)
}

/** Tries again when another mandate has taken the same place of the status list at the same time. */
async function retryOnStatusIndexConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'mandates_status_index_key')) return write()
    throw error
  }
}
