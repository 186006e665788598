import { invariant } from '../../base/core/invariant'
import type { Database, Queryable } from '../../base/core/platform'
import { findClient } from '../../oauth/clients'
import { listEveryPrincipalEntry } from '../../shared/audit'
import { requirePrincipal } from '../../shared/principals'
import { listEveryAgent } from '../agents'
import { type PortabilityDump, SCHEMA_VERSION } from './dump-schema'

/** The person whose data is read, and the request that it is for. */
export interface DumpOrder {
  readonly principalId: string
  readonly tenantId: string
  readonly walletOperator: string
  readonly requestId: string
}

/** Returns the name of the person's wallet client. */
export async function readWalletOperator(db: Database, tenantId: string): Promise<string> {
  const tenant = await findClient(db, tenantId)
  invariant(tenant !== null, 'a person belongs to a wallet client')
  return tenant.name
}

/** Returns the portability dump as of now. */
export async function readPortability(db: Queryable, order: DumpOrder): Promise<PortabilityDump> {
  const { principalId, walletOperator, requestId } = order
  const { email, display_name } = await requirePrincipal(db, principalId)
  return {
    schema_version: SCHEMA_VERSION,
    request_id: requestId,
    principal: { principal_id: principalId, wallet_operator: walletOperator, email, display_name },
    agent_clients: await listEveryAgent(db, principalId),
    audit_chain_entries: (await listEveryPrincipalEntry(db, order)).map((entry) => ({
      ...entry,
      actor: { ...entry.actor },
      payload: { ...entry.payload },
    })),
  }
}
