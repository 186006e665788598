import type { Config } from '../../base/core/platform'
import type { EnrolmentRole } from '../../wallet/enrolments'

/** What an entity must hold and publish to be verified in a role. */
export interface EnrolmentTerms {
  readonly trustMarkId: string
  /** The type of the metadata whose `jwks` are the entity's keys: a merchant's sign catalogs and receipts, an operator's are its agents'. */
  readonly entityType: string
}

/** What each role takes. */
export function enrolmentTerms({
  trustMarks,
}: Pick<Config, 'trustMarks'>): Readonly<Record<EnrolmentRole, EnrolmentTerms>> {
  return {
    merchant: { trustMarkId: trustMarks.verifiedMerchant, entityType: 'oid4ac_merchant' },
    agent_operator: { trustMarkId: trustMarks.verifiedAgentOperator, entityType: 'oauth_client' },
  }
}

/** The roles that a mark is for. */
export function rolesOfMark(config: Pick<Config, 'trustMarks'>, trustMarkId: string): EnrolmentRole[] {
  const terms = enrolmentTerms(config)
  return (['merchant', 'agent_operator'] as const).filter((role) => terms[role].trustMarkId === trustMarkId)
}
