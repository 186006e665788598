import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { findClient } from '../../oauth/clients'
import { createPrincipal as insertPrincipal, type NewPrincipal } from '../../shared/principals'
import type { createPrincipalEndpoint } from './contract'

type Create = typeof createPrincipalEndpoint

/** POST /operator/principals: a person under a wallet client; 404 for an unknown one, 409 when the address is taken there. */
export async function createPrincipal(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const id = await addPrincipal(call.platform, {
    tenantId: input.wallet_client_id,
    email: input.email ?? null,
    displayName: input.display_name ?? null,
    approvalRule: 'new_merchants',
    now: call.now,
  })
  return { principal_id: id }
}

/** Adds a person with a fresh id to an existing tenant. */
export async function addPrincipal(platform: Platform, principal: Omit<NewPrincipal, 'id'>): Promise<string> {
  const tenant = await findClient(platform.db, principal.tenantId)
  if (tenant?.kind !== 'wallet') throw new ServiceError('not_found', 'There is no such wallet client.')
  const id = platform.random.uuid()
  try {
    await insertPrincipal(platform.db, { ...principal, id })
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person of this wallet client has this e-mail address.')
  }
  return id
}
