import { findClient } from '../clients'
import type { InputOf, OutputOf } from '../contract/endpoint'
import type { OperatorCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Platform } from '../core/platform'
import { isUniqueViolation } from '../platform/database/errors'
import { createPrincipal as insertPrincipal, type NewPrincipal } from '../principals'
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
