import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { findClient } from '../../oauth/clients'
import { createPrincipal as insertPrincipal, type NewPrincipal } from '../../shared/principals'
import type { WireLimits } from '../../wallet/limits/contract'
import type { createPrincipalEndpoint } from './contract'
import { recordOperatorAct } from './record-operator-act'

type Create = typeof createPrincipalEndpoint

/** POST /operator/principals: a person under a wallet client; 404 for an unknown one, 409 when the address is taken there. */
export async function createPrincipal(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const person = {
    tenantId: input.wallet_client_id,
    email: input.email ?? null,
    displayName: input.display_name ?? null,
    approvalRule: 'new_merchants',
  } as const
  return { principal_id: await addPrincipal(call, person, { what: 'createPrincipal' }) }
}

/** Adds a person with a fresh id to an existing tenant, and reports that as `what` with the limits that they are to have. */
export async function addPrincipal(
  call: OperatorCall,
  principal: Omit<NewPrincipal, 'id' | 'now'>,
  { what, limits = null }: { readonly what: string; readonly limits?: WireLimits | null },
): Promise<string> {
  const { platform, now } = call
  const tenant = await findClient(platform.db, principal.tenantId)
  if (tenant?.kind !== 'wallet') throw new ServiceError('not_found', 'There is no such wallet client.')
  const id = platform.random.uuid()
  try {
    await platform.db.transaction(async (tx) => {
      await insertPrincipal(tx, { ...principal, id, now })
      const person = { tenantId: principal.tenantId, principalId: id }
      const to = { approval_rule: principal.approvalRule, limits }
      await recordOperatorAct(tx, call, { what, from: null, to, subjectId: id, person })
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person of this wallet client has this e-mail address.')
  }
  return id
}
