import type { AuditValue } from '../../shared/audit'
import type { MerchantRow } from '../../wallet/merchants'

/** What audit entries tell about a merchant. Its name and address for mail may be those of a person. */
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

/** The fields that differ, as an audit entry tells them; those of a new merchant come from null. */
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
