import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { readEnrolments, statusAt } from '../../../wallet/enrolments'
import type { readMerchantProcedure } from './contract'
import { findMerchantProfile } from './store'
import type { MerchantVerification, MerchantView } from './view'

/** Returns a merchant's page: its profile, and why it is verified or not. 404 for an unknown one. */
export async function readMerchant(
  call: WalletCall,
  { id }: ProcedureInput<typeof readMerchantProcedure>,
): Promise<MerchantView> {
  const profile = await findMerchantProfile(call.platform.db, id)
  if (profile === null) throw new ServiceError('not_found', 'There is no such merchant.')
  const { merchant_audience, merchant_name, country } = profile
  return { id, merchant_audience, merchant_name, country, verification: await verificationOf(call, profile) }
}

type Profile = NonNullable<Awaited<ReturnType<typeof findMerchantProfile>>>

async function verificationOf({ platform, now }: WalletCall, profile: Profile): Promise<MerchantVerification> {
  const { verification_status: status, verified_at: verifiedAt, federation_entity_id: entityId } = profile
  if (entityId === null || status === 'suspended') {
    const refusal = status === 'verified' ? null : status
    return { refusal, since: refusal === null ? (verifiedAt?.toISOString() ?? null) : null, entity_id: entityId }
  }
  const enrolment = (await readEnrolments(platform.db, 'merchant', [entityId])).get(entityId)
  if (enrolment === undefined) return { refusal: 'unchecked', since: null, entity_id: entityId }
  const { refusal, since } = statusAt(enrolment, now)
  return { refusal, since: since.toISOString(), entity_id: entityId }
}
