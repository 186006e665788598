import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform, Transaction } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { findClient } from '../../oauth/clients'
import { createPrincipal as insertPrincipal, type NewPrincipal, PORTAL_TENANT_ID } from '../../shared/principals'
import { startLimits } from '../../wallet/limits'
import type { createPrincipalEndpoint } from './contract'

type Create = typeof createPrincipalEndpoint

/**
 * POST /operator/principals: a person under a wallet client; 404 for an unknown one, 409 when the address is taken there.
 * A person of the portal gets limits to start with; those of other wallet clients get them from there.
 */
export async function createPrincipal(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { platform, now } = call
  const { wallet_client_id: tenantId, currency = platform.config.defaultCurrency } = input
  const person = {
    tenantId,
    email: input.email ?? null,
    displayName: input.display_name ?? null,
    approvalRule: 'new_merchants',
    now,
  } as const
  const id = await addPrincipal(platform, person, async (tx, principalId) => {
    if (tenantId === PORTAL_TENANT_ID) await startLimits(tx, call, { principalId, currency })
  })
  return { principal_id: id }
}

/** Adds a person with a fresh id to an existing tenant; `prepare` does in the same transaction what belongs to it. */
export async function addPrincipal(
  platform: Platform,
  principal: Omit<NewPrincipal, 'id'>,
  prepare?: (tx: Transaction, principalId: string) => Promise<void>,
): Promise<string> {
  const tenant = await findClient(platform.db, principal.tenantId)
  if (tenant?.kind !== 'wallet') throw new ServiceError('not_found', 'There is no such wallet client.')
  const id = platform.random.uuid()
  try {
    await platform.db.transaction(async (tx) => {
      await insertPrincipal(tx, { ...principal, id })
      await prepare?.(tx, id)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person of this wallet client has this e-mail address.')
  }
  return id
}
