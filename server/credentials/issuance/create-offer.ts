import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { AnonymousCall, BackendCall, Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Queryable } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import {
  createCredentialOffer,
  findOpenOffer,
  newCredentialNonce,
  type OfferToCreate,
  type OpenOffer,
} from '../../oauth/credential-offers'
import { PRE_AUTHORIZED_GRANT } from '../../oauth/credential-offers/contract'
import { buildUnknownPrincipalError, findPrincipal } from '../../shared/principals'
import type { CredentialOffer, createOfferEndpoint } from './contract'

const TX_CODE_LENGTH = 6

type Create = typeof createOfferEndpoint

/**
 * POST /oid4vci/credential-offer: stores an offer with its code, and returns it in the form for a wallet app. 404 for a
 * person who is restricted, erased or of another tenant.
 */
export async function createOffer(call: BackendCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { platform, actor } = call
  const tenantId = actor.client?.id ?? null
  const { principal_id: principalId = null, ...claims } = input.subject
  const owner = principalId === null ? tenantId : await requireServed(platform.db, principalId, tenantId)
  const { reply } = await storeOffer(platform.db, call, {
    configuration: input.credential_configuration_id,
    subject: present(claims),
    tenantId: owner,
    principalId,
    maker: null,
    wantsTxCode: input.tx_code === true,
  })
  return reply
}

/** Stores an offer, and returns it in the form for a wallet app. */
export async function storeOffer(
  db: Queryable,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  wanted: Omit<OfferToCreate, 'now'>,
): Promise<{ readonly id: string; readonly reply: OutputOf<Create> }> {
  const { id, handle, code, txCode } = await createCredentialOffer(db, platform, { ...wanted, now })
  const { baseUrl, credentialOfferTtlSeconds } = platform.config
  const offer = wordOffer(baseUrl, { configuration: wanted.configuration, code, needsTxCode: txCode !== null })
  const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`
  const reply = {
    credential_offer: offer,
    c_nonce: newCredentialNonce(platform, now),
    credential_offer_uri: `${baseUrl}/oid4vci/credential-offer/${handle}`,
    deep_link: link,
    qr_payload: link,
    expires_in: credentialOfferTtlSeconds,
    ...(txCode === null ? {} : { tx_code: txCode }),
  }
  return { id, reply }
}

/**
 * Returns the tenant of a person who may get credentials, or throws 404. The operator, without a tenant, reaches all
 * people.
 */
async function requireServed(db: Queryable, principalId: string, tenantId: string | null): Promise<string> {
  const principal = await findPrincipal(db, principalId)
  const isServed = principal !== null && !principal.erased && !principal.processing_restricted
  if (!isServed || (tenantId !== null && principal.tenant_id !== tenantId)) throw buildUnknownPrincipalError()
  return principal.tenant_id
}

function present(claims: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
}

/** Returns an offer in the form of OpenID4VCI section 4.1.1. */
function wordOffer(baseUrl: string, { configuration, code, needsTxCode }: OpenOffer): CredentialOffer {
  return {
    credential_issuer: baseUrl,
    credential_configuration_ids: [configuration],
    grants: {
      [PRE_AUTHORIZED_GRANT]: {
        'pre-authorized_code': code,
        ...(needsTxCode ? { tx_code: { input_mode: 'numeric' as const, length: TX_CODE_LENGTH } } : {}),
      },
    },
  }
}

/**
 * GET /oid4vci/credential-offer/{offer_id}: 404 once it is redeemed, ended or expired, and while its person may get no
 * credentials.
 */
export async function readOffer(
  { platform, now }: AnonymousCall,
  { offer_id: handle }: { readonly offer_id: string },
): Promise<CredentialOffer> {
  const offer = await findOpenOffer(platform, handle, now)
  if (offer === null) throw new ServiceError('not_found', 'There is no such offer.')
  return wordOffer(platform.config.baseUrl, offer)
}

/** POST /oid4vci/nonce. */
export async function createNonce({ platform, now }: AnonymousCall): Promise<{ c_nonce: string }> {
  return { c_nonce: newCredentialNonce(platform, now) }
}
