import type { OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp } from '../../identity/passkeys'
import { listOpenOfferEnds } from '../../oauth/credential-offers'
import { recordPersonAct } from '../../shared/audit'
import { lockActivePrincipal, requirePrincipal } from '../../shared/principals'
import { type createOfferEndpoint, OPEN_OFFERS_MAX, type offerOwnCredentialProcedure } from './contract'
import { storeOffer } from './create-offer'

const CONFIGURATION = 'service_mandate'

interface OwnOffer {
  readonly id: string
  readonly expiresAt: Date
  readonly reply: OutputOf<typeof createOfferEndpoint>
}

/**
 * Offers the person a service mandate about themselves, always with a transaction code. It requires a step-up, since
 * the mandate identifies them and approves purchases from their wallet app. 400 access_denied while their processing is
 * restricted; 429 rate_limited while five offers about them are open.
 */
export async function offerOwnCredential(
  call: WalletCall,
  { proof }: ProcedureInput<typeof offerOwnCredentialProcedure>,
): Promise<OwnOffer> {
  const { platform, actor, now } = call
  const { principalId, tenantId } = actor
  const action = { purpose: 'credential.offer', subject: { credential_configuration_id: CONFIGURATION } } as const
  const stepUp = await proveStepUp(call, action, proof)
  const maker = { passkeyId: stepUp.method === 'passkey' ? stepUp.passkey_id : null }
  const order = { configuration: CONFIGURATION, subject: {}, tenantId, principalId, maker, wantsTxCode: true } as const
  const offer = await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, principalId)
    await requireOfferable(tx, call)
    const stored = await storeOffer(tx, call, order)
    const payload = { what: 'credential_offer', from: null, to: 'open', means: stepUp.method } as const
    await recordPersonAct(tx, call, {
      event: 'oid4ac.credential.changed',
      payload: { ...payload, credential_id: null, offer_id: stored.id },
    })
    return stored
  })
  return { ...offer, expiresAt: new Date(now.getTime() + platform.config.credentialOfferTtlSeconds * 1000) }
}

/** Throws unless the person may be offered a credential now. The caller holds the person's lock. */
async function requireOfferable(tx: Transaction, { actor: { principalId }, now }: WalletCall): Promise<void> {
  const { processing_restricted: isRestricted } = await requirePrincipal(tx, principalId)
  if (isRestricted) throw buildBarredError()
  const ends = await listOpenOfferEnds(tx, principalId, now)
  const [first] = ends
  if (first === undefined || ends.length < OPEN_OFFERS_MAX) return
  const seconds = Math.max(1, Math.ceil((first.getTime() - now.getTime()) / 1000))
  const headers = { 'retry-after': String(seconds) }
  throw new ServiceError('rate_limited', `At most ${OPEN_OFFERS_MAX} offers may be open. Each ends by itself.`, {
    headers,
  })
}
