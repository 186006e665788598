import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { type CredentialProof, verifyCredentialProof } from '../../base/protocol/credential-proof'
import { ProtocolError } from '../../base/protocol/errors'
import {
  buildNoCredentialError,
  buildTxCodeError,
  buildUnusableCodeError,
  checkTxCode,
  consumeCredentialNonce,
  countBadProof,
  countWrongTxCode,
  findCredentialNonceEnd,
  hashOpaque,
  isOpen,
  type LockedOffer,
  lockOffer,
  type OfferRow,
  spendOffer,
} from '../../oauth/credential-offers'
import { buildListFullError, drawCredentialIndexes, insertCredentialPlace } from '../../oauth/mandates'
import { authorizeToken, buildTokenError, consumeDpopProof, type TokenHeaders } from './authorize-token'
import { type CredentialRequest, readCredentialRequest, type SentRequest } from './read-request'
import { signCredential } from './sign-credential'
import { insertCredential } from './store'

/** A credential, or the error why none is issued. The error is returned, so that the transaction commits. */
type Outcome = string | ServiceError

/**
 * POST /oid4vci/credential: one credential for a pre-authorized code, or for the access token that the code was redeemed
 * for (OpenID4VCI section 8). Of parallel requests with one code, token or nonce, one gets it.
 */
export async function issueCredential(call: AnonymousCall, input: SentRequest & { readonly headers: TokenHeaders }) {
  const { headers, ...sent } = input
  const hasCode = sent['pre-authorized_code'] !== undefined
  if (hasCode && headers.authorization !== undefined) {
    throw new ServiceError('invalid_credential_request', 'Send a code or an access token, not both.')
  }
  const outcome = await (hasCode ? issueForCode(call, sent) : issueForToken(call, sent, headers))
  if (outcome instanceof ServiceError) throw outcome
  return { credentials: [{ credential: outcome }] }
}

async function issueForCode(call: AnonymousCall, sent: SentRequest): Promise<Outcome> {
  const { platform } = call
  const request = readCredentialRequest(sent)
  requireOneName(request)
  const proof = await checkProof(call, request.proofJwt)
  const codeHash = hashOpaque(request.code ?? '')
  if (codeHash === null) return buildUnusableCodeError()
  return platform.db.transaction(async (tx) => {
    const locked = await lockOffer(tx, { codeHash })
    return locked === null ? buildUnusableCodeError() : redeemLocked(tx, call, { ...locked, request, proof })
  })
}

function requireOneName({ configurationId, identifier }: CredentialRequest): void {
  if (configurationId === undefined || identifier === undefined) return
  throw new ServiceError(
    'invalid_credential_request',
    'Send credential_configuration_id or credential_identifier, not both.',
  )
}

interface Redemption extends LockedOffer {
  readonly request: CredentialRequest
  readonly proof: CredentialProof | ServiceError
}

async function redeemLocked(tx: Transaction, call: AnonymousCall, redemption: Redemption): Promise<Outcome> {
  const { offer, isServed, request, proof } = redemption
  const { platform, now } = call
  if (!isOpen(offer, now)) return buildUnusableCodeError()
  if (proof instanceof ServiceError) {
    await countBadProof(tx, offer.id, now)
    return proof
  }
  const otherName = checkName(offer, request)
  if (otherName !== null) return otherName
  const check = checkTxCode(platform, offer, request.txCode)
  if (check === 'wrong') await countWrongTxCode(tx, offer.id, now)
  if (check !== 'right') return buildTxCodeError(check, 'invalid_credential_request')
  const outcome = await issueLocked(tx, call, { offer, isServed, proof })
  if (outcome instanceof ServiceError && outcome.code === 'invalid_nonce') await countBadProof(tx, offer.id, now)
  return outcome
}

/** Checks that the wallet app names the offered credential. Returns the error; null when it does. */
function checkName({ configuration }: OfferRow, { configurationId, identifier }: CredentialRequest) {
  if (identifier !== undefined) {
    return new ServiceError('unknown_credential_identifier', 'No credential identifiers are given out.')
  }
  if (configurationId === undefined || configurationId === configuration) return null
  return new ServiceError('unknown_credential_configuration', 'The credential was not offered.')
}

async function issueForToken(call: AnonymousCall, sent: SentRequest, headers: TokenHeaders): Promise<Outcome> {
  const { platform } = call
  const token = await authorizeToken(call, headers)
  const request = readCredentialRequest(sent)
  requireOneName(request)
  if (request.configurationId === undefined && request.identifier === undefined) {
    throw new ServiceError('invalid_credential_request', 'credential_configuration_id is required.')
  }
  if (request.txCode !== undefined) {
    throw new ServiceError('invalid_credential_request', 'A tx_code belongs to the token request.')
  }
  const proof = await checkProof(call, request.proofJwt)
  // The jti of such a token begins with the offer's id.
  const [id = ''] = token.tokenId.split('.', 1)
  return platform.db.transaction(async (tx) => {
    await consumeDpopProof(tx, platform, token.replayKey)
    const locked = await lockOffer(tx, { id })
    const isActive = locked?.offer.token_id === token.tokenId && locked.offer.token_revoked_at === null
    return isActive ? useToken(tx, call, { ...locked, request, proof }) : buildTokenError(platform)
  })
}

async function useToken(tx: Transaction, call: AnonymousCall, redemption: Redemption): Promise<Outcome> {
  const { offer, request, proof } = redemption
  if (offer.issued_at !== null) {
    return new ServiceError('credential_request_denied', 'The token was used for its credential.')
  }
  const otherName = checkName(offer, request)
  if (otherName !== null) return otherName
  return proof instanceof ServiceError ? proof : issueLocked(tx, call, { ...redemption, proof })
}

async function checkProof(
  { platform, now }: AnonymousCall,
  jwt: string | null,
): Promise<CredentialProof | ServiceError> {
  if (jwt === null) return new ServiceError('invalid_proof', 'A proof of the type jwt is required.')
  try {
    return await verifyCredentialProof(jwt, {
      issuer: platform.config.baseUrl,
      now,
      isNonceValid: (nonce) => findCredentialNonceEnd(platform, nonce, now) !== null,
    })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'invalid_nonce' ? 'invalid_nonce' : 'invalid_proof'
    return new ServiceError(code, `${error.message}.`, { cause: error })
  }
}

interface Issue extends LockedOffer {
  readonly proof: CredentialProof
}

/**
 * Issues the credential of a valid request: consumes the nonce, takes a place in the status list, and spends the offer.
 */
async function issueLocked(tx: Transaction, call: AnonymousCall, { offer, isServed, proof }: Issue): Promise<Outcome> {
  const { platform, now } = call
  if (!isServed) {
    await spendOffer(tx, offer.id, now)
    return buildNoCredentialError()
  }
  const isFresh = await consumeCredentialNonce(tx, platform, { nonce: proof.nonce, now })
  if (!isFresh) return new ServiceError('invalid_nonce', 'The nonce is unknown, expired or used.')
  const credentialId = platform.random.uuid()
  const expiresAt = new Date(now.getTime() + platform.config.credentialTtlSeconds * 1000)
  const indexes = drawCredentialIndexes(platform.random)
  const statusIndex = await insertCredentialPlace(tx, { credentialId, indexes, expiresAt })
  // Thrown, so that nonce and code stay unused.
  if (statusIndex === null) throw buildListFullError()
  await insertCredential(tx, {
    id: credentialId,
    configuration: offer.configuration,
    tenant_id: offer.tenant_id,
    principal_id: offer.principal_id,
    by_person: offer.by_person,
    passkey_id: offer.passkey_id,
    issued_at: now,
    expires_at: expiresAt,
  })
  await spendOffer(tx, offer.id, now)
  return signCredential(platform, { credentialId, offer, holder: proof, statusIndex, now, expiresAt })
}
