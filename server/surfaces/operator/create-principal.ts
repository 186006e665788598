import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { findClient } from '../../oauth/clients'
import { recordOperatorAct } from '../../shared/audit'
import { createPrincipal as insertPrincipal, type NewPrincipal, PORTAL_TENANT_ID } from '../../shared/principals'
import { startLimits } from '../../wallet/limits'
import { limitsToWire, type WireLimits } from '../../wallet/limits/contract'
import type { createPrincipalEndpoint } from './contract'

type Create = typeof createPrincipalEndpoint

/**
 * POST /operator/principals: creates a person under a wallet client; 404 for an unknown client, 409 when it has a
 * person with this address. A person of the portal starts with default limits; other wallet clients set them.
 */
export async function createPrincipal(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { wallet_client_id: tenantId, currency = call.platform.config.defaultCurrency } = input
  const person = {
    tenantId,
    email: input.email ?? null,
    displayName: input.display_name ?? null,
    approvalRule: 'new_merchants',
  } as const
  const startCurrency = tenantId === PORTAL_TENANT_ID ? currency : null
  return { principal_id: await addPrincipal(call, person, { what: 'createPrincipal', startCurrency }) }
}

interface Addition {
  /** The name of the operator's act, for the audit chain. */
  readonly what: string
  /** The limits to record, which the caller saves; null or absent for none. */
  readonly limits?: WireLimits | null
  /** The currency of the portal's starting limits; null or absent without these. */
  readonly startCurrency?: string | null
}

/** Adds a person with a new id to an existing tenant, and records the act with the person's limits. */
export async function addPrincipal(
  call: OperatorCall,
  principal: Omit<NewPrincipal, 'id' | 'now'>,
  { what, limits = null, startCurrency = null }: Addition,
): Promise<string> {
  const { platform, now } = call
  const tenant = await findClient(platform.db, principal.tenantId)
  if (tenant?.kind !== 'wallet') throw new ServiceError('not_found', 'There is no such wallet client.')
  const id = platform.random.uuid()
  try {
    await platform.db.transaction(async (tx) => {
      await insertPrincipal(tx, { ...principal, id, now })
      const started =
        startCurrency === null
          ? limits
          : limitsToWire(await startLimits(tx, call, { principalId: id, currency: startCurrency }))
      const person = { tenantId: principal.tenantId, principalId: id }
      const to = { approval_rule: principal.approvalRule, limits: started }
      await recordOperatorAct(tx, call, { what, from: null, to, subjectId: id, person })
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person of this wallet client has this e-mail address.')
  }
  return id
}
