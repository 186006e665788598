import type { InputOf } from '../../base/contract/endpoint'
import type { OperatorCall, WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { findPaymentDetail, findPaymentOwner } from '../../money/payments'
import { recordOperatorAct } from '../../shared/audit'
import { notifyOperatorAct } from '../../shared/notifications'
import { findPrincipal, requireActivePrincipal } from '../../shared/principals'
import { collectPack } from './collect-pack'
import type { EvidencePack, readEvidenceAsOperatorEndpoint, readEvidenceEndpoint } from './contract'
import { sealPack } from './seal-pack'

/** Returns the evidence about one of the person's payments. 404 for an unknown payment and for another person's. */
export function readEvidence(
  { platform, actor }: WalletCall,
  { payment_intent_id: id }: Pick<InputOf<typeof readEvidenceEndpoint>, 'payment_intent_id'>,
): Promise<EvidencePack> {
  return packOf(platform, { principalId: actor.principalId, id })
}

/**
 * Returns the evidence of {@link readEvidence} to the operator. The person is mailed about it, and it is in their audit
 * entries. 404 once they are erased.
 */
export async function readEvidenceAsOperator(
  call: OperatorCall,
  { payment_intent_id: id }: InputOf<typeof readEvidenceAsOperatorEndpoint>,
): Promise<EvidencePack> {
  const { platform } = call
  const principalId = await findPaymentOwner(platform.db, id)
  if (principalId === null) throw buildUnknownError()
  const { tenant_id: tenantId, email } = await requireActivePrincipal(platform.db, principalId)
  const pack = await packOf(platform, { principalId, id })
  const person = { tenantId, principalId }
  const act = { what: 'readEvidenceAsOperator', from: null, to: null, subjectId: id, person }
  await platform.db.transaction(async (tx) => {
    await notifyOperatorAct(tx, call, { principalId, email, act: 'evidence_read' })
    await recordOperatorAct(tx, call, act)
  })
  return pack
}

/** Yields the evidence of {@link readEvidence} as a file, in one chunk. */
export async function* writeEvidenceJson(call: WalletCall, { id }: { readonly id: string }) {
  yield `${JSON.stringify(await readEvidence(call, { payment_intent_id: id }), null, 2)}\n`
}

interface Wanted {
  readonly principalId: string
  readonly id: string
}

async function packOf(platform: Platform, { principalId, id }: Wanted): Promise<EvidencePack> {
  const [payment, payer] = await Promise.all([
    findPaymentDetail(platform.db, principalId, id),
    findPrincipal(platform.db, principalId),
  ])
  if (payment === null || payer === null || payer.erased) throw buildUnknownError()
  return sealPack(platform, await collectPack(platform, { payment, payer }))
}

function buildUnknownError(): ServiceError {
  return new ServiceError('not_found', 'There is no such payment.')
}
