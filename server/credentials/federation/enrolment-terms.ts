import type { Config } from '../../base/core/platform'
import type { EnrolmentRole } from '../../wallet/enrolments'

/** The mark that an entity must hold and the metadata that it must publish to be verified in a role. */
export interface EnrolmentTerms {
  readonly trustMarkId: string
  /**
   * The type of the metadata whose `jwks` are the entity's keys: those of a merchant sign catalogs and receipts, those
   * of an operator are its agents'.
   */
  readonly entityType: string
}

/** Returns the terms of each role. */
export function enrolmentTerms({
  trustMarks,
}: Pick<Config, 'trustMarks'>): Readonly<Record<EnrolmentRole, EnrolmentTerms>> {
  return {
    merchant: { trustMarkId: trustMarks.verifiedMerchant, entityType: 'oid4ac_merchant' },
    agent_operator: { trustMarkId: trustMarks.verifiedAgentOperator, entityType: 'oauth_client' },
  }
}

/** Returns the roles that require this mark. */
export function rolesOfMark(config: Pick<Config, 'trustMarks'>, trustMarkId: string): EnrolmentRole[] {
  const terms = enrolmentTerms(config)
  return (['merchant', 'agent_operator'] as const).filter((role) => terms[role].trustMarkId === trustMarkId)
}
