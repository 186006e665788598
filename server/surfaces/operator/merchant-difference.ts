import type { AuditValue } from '../../shared/audit'
import type { MerchantRow } from '../../wallet/merchants'

/** The fields of a merchant that audit entries hold; its name and mail address may be personal. */
const auditedFields = [
  'merchant_audience',
  'country',
  'accepts_currency',
  'accepts_rail',
  'verification_status',
  'connected_account_id',
  'max_application_fee_bps',
  'federation_entity_id',
  'min_age',
] as const
const maskedFields = ['business_name', 'contact_email'] as const

type Values = Record<string, AuditValue>

/** Returns the fields that differ, for an audit entry; those of a new merchant are null before. */
export function merchantDifference(before: MerchantRow | null, after: MerchantRow): { from: Values; to: Values } {
  const [from, to]: [Values, Values] = [{}, {}]
  for (const field of auditedFields) {
    const [was, is] = [before?.[field] ?? null, after[field]]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    from[field] = was
    to[field] = is
  }
  for (const field of maskedFields) {
    const [was, is] = [before?.[field] ?? null, after[field]]
    if (was === is) continue
    from[field] = was === null ? null : 'set'
    to[field] = is === null ? null : was === null ? 'set' : 'changed'
  }
  return { from, to }
}
