import type * as z from 'zod'
import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { announceChange } from '../../base/core/announce-change'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { requireWebhookSignature } from '../../base/platform/processor/webhook-signature'
import { parseJsonObject, sha256Base64url } from '../../base/protocol/encoding'
import { buildStepUpRequiredError, readPasskeyStatus } from '../../identity/passkeys'
import { APPROVING_PHONE_AGE_HOURS, mayApproveByPhone } from '../../shared/notifications'
import { lockPrincipal } from '../../shared/principals'
import { consumeBumpToken, findBumpOwner } from './bump-store'
import { rcsAnswer, type receiveRcsCallbackEndpoint } from './contract'
import { buildUnknownBumpError, decideBump } from './decide-bump'

type Receive = typeof receiveRcsCallbackEndpoint

/**
 * Receives from the carrier the person's answer to a bump's RCS message. The token decides only its own bump, once; the
 * decision and the use of the token are one transaction. A person who requires passkeys, or whose phone was confirmed
 * less than 24 hours ago or is no longer in use, can only decline: 403 for an approval.
 */
export async function receiveRcsCallback(call: AnonymousCall, input: InputOf<Receive>): Promise<OutputOf<Receive>> {
  requireSignature(call, input)
  const { bump_id: bumpId, action, token } = parseAnswer(input.rawBody)
  const decision = action === 'approve' ? 'approved' : 'declined'
  const { platform, now } = call
  const capability = { bumpId, tokenHash: sha256Base64url(token), now }
  const principalId = await platform.db.transaction(async (tx) => {
    const owner = await findBumpOwner(tx, capability)
    if (owner === null) throw buildUnknownBumpError()
    const { principalId: id } = owner
    await lockPrincipal(tx, id)
    if (decision === 'approved') await requireApprovingPhone(tx, id, now)
    // The bump is locked before its token, in the same order as in the person's own decision.
    await decideBump(tx, { bumpId, actor: owner, means: 'callback', now }, decision)
    if (!(await consumeBumpToken(tx, capability))) throw buildUnknownBumpError()
    return id
  })
  await announceChange(platform, principalId)
  return { status: decision }
}

async function requireApprovingPhone(tx: Transaction, principalId: string, now: Date): Promise<void> {
  if ((await readPasskeyStatus(tx, principalId)).required) throw buildStepUpRequiredError('passkey')
  if (await mayApproveByPhone(tx, principalId, now)) return
  const description = `A phone approves from ${APPROVING_PHONE_AGE_HOURS} hours after it was confirmed. Decide in the portal.`
  throw new ServiceError('forbidden', description)
}

function requireSignature({ platform, now }: AnonymousCall, { headers, rawBody }: InputOf<Receive>): void {
  const secret = platform.config.secrets.rcsCallback
  requireWebhookSignature({ header: headers['rcs-signature'], name: 'RCS-Signature', body: rawBody, secret, now })
}

function parseAnswer(rawBody: Buffer): z.output<typeof rcsAnswer> {
  try {
    return rcsAnswer.parse(parseJsonObject(rawBody))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The answer is malformed.', { cause })
  }
}
