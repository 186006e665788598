import { ServiceError } from '../../base/core/errors'
import { isJsonObject, type JsonObject } from '../../base/protocol/encoding'

/** A credential request as it was sent; no member is checked yet. */
export interface SentRequest {
  readonly 'pre-authorized_code'?: unknown
  readonly tx_code?: unknown
  readonly credential_configuration_id?: unknown
  readonly credential_identifier?: unknown
  readonly proof?: unknown
  readonly proofs?: unknown
  readonly credential_response_encryption?: unknown
}

/** A credential request with well-formed members. */
export interface CredentialRequest {
  readonly code: string | undefined
  readonly txCode: string | undefined
  readonly configurationId: string | undefined
  readonly identifier: string | undefined
  /** The JWT of the only proof; null when it is missing or of another kind. */
  readonly proofJwt: string | null
}

const buildRequestError = (description: string) => new ServiceError('invalid_credential_request', description)

/** Reads a credential request (OpenID4VCI section 8.2). The older member `proof` is read as one of `proofs`. */
export function readCredentialRequest(sent: SentRequest): CredentialRequest {
  if (sent.credential_response_encryption !== undefined) {
    throw buildRequestError('Encrypted responses are not supported.')
  }
  return {
    code: readOptionalString(sent['pre-authorized_code'], 'pre-authorized_code'),
    txCode: readOptionalString(sent.tx_code, 'tx_code'),
    configurationId: readOptionalString(sent.credential_configuration_id, 'credential_configuration_id'),
    identifier: readOptionalString(sent.credential_identifier, 'credential_identifier'),
    proofJwt: readProof(sent),
  }
}

function readOptionalString(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw buildRequestError(`${name} must be a string.`)
}

function readProof({ proof, proofs }: SentRequest): string | null {
  if (proof !== undefined && proofs !== undefined) throw buildRequestError('Send proof or proofs, not both.')
  if (proofs !== undefined) return isJsonObject(proofs) ? readOnlyProof(proofs) : null
  const isJwt = isJsonObject(proof) && proof['proof_type'] === 'jwt' && typeof proof['jwt'] === 'string'
  return isJwt ? (proof['jwt'] as string) : null
}

/** Returns the JWT of the only proof; null for another kind. Batches are not offered (section 12.2.4). */
function readOnlyProof(proofs: JsonObject): string | null {
  const types = Object.keys(proofs)
  if (types.length > 1) throw buildRequestError('The proofs must be of one type.')
  const list = Object.values(proofs)[0]
  if (!Array.isArray(list)) return null
  if (list.length !== 1) throw buildRequestError('Send exactly one proof.')
  const [jwt] = list as unknown[]
  return types[0] === 'jwt' && typeof jwt === 'string' ? jwt : null
}
