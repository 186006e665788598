import type { Queryable } from '../../../base/core/platform'
import { sql } from '../../../base/core/sql'
import { credentialsRevisionSql } from '../../../credentials/issuance'
import { signInsRevisionSql } from '../../../identity/sessions'
import { paymentsRevisionSql } from '../../../money/payments'
import { settlementsRevisionSql } from '../../../money/settlement'
import { agentsRevisionSql } from '../../../oauth/clients'
import { auditRevisionSql } from '../../../shared/audit'
import { principalRevisionSql } from '../../../shared/principals'
import { approvalsRevisionSql } from '../../../wallet/approvals'
import { cardsRevisionSql } from '../../../wallet/cards'
import { limitsRevisionSql } from '../../../wallet/limits'
import { merchantRulesRevisionSql } from '../../../wallet/merchant-rules'

/**
 * Returns a text that changes whenever the portal's view of the person changes, also by time alone: counts and newest
 * instants, each read from an index of the person's rows.
 */
export async function readRevision(db: Queryable, principalId: string, now: Date): Promise<string> {
  const [row] = await db.query<{ revision: string }>(
    sql`SELECT md5(concat_ws('|',
       ${approvalsRevisionSql(principalId, now)},
       ${paymentsRevisionSql(principalId)},
       ${auditRevisionSql(principalId)},
       ${signInsRevisionSql(principalId)},
       ${settlementsRevisionSql(principalId, now)},
       ${agentsRevisionSql(principalId, now)},
       ${cardsRevisionSql(principalId)},
       ${credentialsRevisionSql(principalId)},
       ${limitsRevisionSql(principalId, now)},
       ${merchantRulesRevisionSql(principalId)},
       ${principalRevisionSql(principalId)})) AS revision`,
  )
  return row?.revision ?? ''
}
