import { invariant } from '../../base/core/invariant'
import type { Database } from '../../base/core/platform'
import { findClient } from '../../oauth/clients'
import { listEveryPrincipalEntry } from '../../shared/audit'
import { requirePrincipal } from '../../shared/principals'
import { listEveryAgent } from '../agents'
import { type PortabilityDump, SCHEMA_VERSION } from './dump-schema'

/** Whose data, and for which request. */
export interface DumpOrder {
  readonly principalId: string
  readonly tenantId: string
  readonly requestId: string
}

/** The portability dump as it stands now. */
export async function readPortability(db: Database, order: DumpOrder): Promise<PortabilityDump> {
  const { principalId, tenantId, requestId } = order
  const { email, display_name } = await requirePrincipal(db, principalId)
  const tenant = await findClient(db, tenantId)
  invariant(tenant !== null, 'a person belongs to a wallet client')
  return {
    schema_version: SCHEMA_VERSION,
    request_id: requestId,
    principal: { principal_id: principalId, wallet_operator: tenant.name, email, display_name },
    agent_clients: await listEveryAgent(db, principalId),
    audit_chain_entries: (await listEveryPrincipalEntry(db, order)).map((entry) => ({
      ...entry,
      actor: { ...entry.actor },
      payload: { ...entry.payload },
    })),
  }
}
