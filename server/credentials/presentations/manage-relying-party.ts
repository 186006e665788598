import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { OperatorCall } from '../../base/core/call'
import { buildFieldError } from '../../base/core/errors'
import { clientIdOf, readAccessChain, readAccessKey } from '../../base/protocol/access-certificate'
import { ProtocolError } from '../../base/protocol/errors'
import { recordOperatorAct } from '../../shared/audit'
import { findCertificate } from './relying-party'
import type { RelyingPartyAnswer, saveRelyingPartyEndpoint } from './relying-party-contract'
import {
  lockStoredRelyingParty,
  relyingPartyKeyContext,
  removeRelyingParty,
  replaceRelyingParty,
  type StoredCertificate,
  type StoredRelyingParty,
} from './relying-party-store'

type Certificate = InputOf<typeof saveRelyingPartyEndpoint>

/** PUT /operator/relying-party. */
export async function saveRelyingParty(call: OperatorCall, input: Certificate): Promise<RelyingPartyAnswer> {
  const certificate = parseCertificate(call, input)
  await call.platform.db.transaction(async (tx) => {
    const before = await lockStoredRelyingParty(tx)
    await replaceRelyingParty(tx, certificate, call.now)
    const act = { what: 'saveRelyingParty', from: nameOf(before), to: certificate.clientId, subjectId: null }
    await recordOperatorAct(tx, call, act)
  })
  return toAnswer(certificate)
}

/** GET /operator/relying-party. */
export async function readRelyingParty(call: OperatorCall): Promise<RelyingPartyAnswer> {
  const certificate = await findCertificate(call)
  return certificate === null ? { provisioned: false } : toAnswer(certificate)
}

/** DELETE /operator/relying-party. Doing it again changes nothing. */
export async function deleteRelyingParty(call: OperatorCall): Promise<Reply> {
  await call.platform.db.transaction(async (tx) => {
    const before = await lockStoredRelyingParty(tx)
    if (before === 'removed') return
    await removeRelyingParty(tx, call.now)
    const act = { what: 'deleteRelyingParty', from: nameOf(before), to: null, subjectId: null }
    await recordOperatorAct(tx, call, act)
  })
  return Reply.empty(204)
}

/**
 * Returns the certificate to store, its key sealed, when chain, key and name belong together. @throws ValidationError
 * that names the wrong member
 */
function parseCertificate({ platform, now }: OperatorCall, input: Certificate): StoredCertificate {
  const chain = parseMember('certificate_chain', () => readAccessChain(input.certificate_chain, now))
  const [leaf = ''] = chain.x5c
  const key = parseMember('private_key', () => readAccessKey(input.private_key, leaf))
  const host = new URL(platform.config.baseUrl).hostname
  const clientId = parseMember('certificate_chain', () => clientIdOf(leaf, input.client_id_prefix, host))
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' })
  return {
    ...chain,
    clientId,
    verifierInfo: input.verifier_info ?? null,
    sealedPrivateKey: platform.sealer.seal(pkcs8, relyingPartyKeyContext()),
    isTest: false,
  }
}

function parseMember<Result>(member: keyof Certificate, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw buildFieldError(['body', member], error.message)
  }
}

const nameOf = (stored: StoredRelyingParty): string | null => (typeof stored === 'object' ? stored.clientId : null)

function toAnswer({ clientId, x5c, anchor, notAfter }: StoredCertificate): RelyingPartyAnswer {
  return { provisioned: true, client_id: clientId, x5c: [...x5c], anchor, not_after: notAfter.toISOString() }
}
