import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { describeShownPurchase } from '../../wallet/approvals'
import type { ShownPurchase } from '../../wallet/approvals/contract'
import { credentialType, hasOwnMandate } from '../issuance'
import { readRegions } from '../trust-lists'
import type { CreatedRequest } from './create-request'
import { createPersonsRequest } from './persons-request'
import { OWN_PAYMENT } from './transaction-contract'

/** A purchase as the portal's page showed it. */
interface PurchaseToApprove {
  readonly authorization_id: string
  readonly shown: ShownPurchase
}

/**
 * Returns whether the person can approve by wallet app: a region is configured, and they hold a mandate of their own.
 */
export async function canApproveByWallet(call: WalletCall): Promise<boolean> {
  const regions = await readRegions(call)
  return regions.length > 0 && (await hasOwnMandate(call, call.actor))
}

/**
 * Creates a request to approve a purchase with the person's wallet app. Requires no step-up: the presentation is the
 * confirmation. 400 region_unsupported while no region is configured, 403 forbidden without a mandate of their own, 404
 * and 409 as thrown by `describeShownPurchase`, 503 request_object_invalid without a certificate.
 */
export async function createApprovalRequest(call: WalletCall, purchase: PurchaseToApprove): Promise<CreatedRequest> {
  const { transaction, expiresAt } = await describeShownPurchase(call, purchase)
  if ((await readRegions(call)).length === 0) {
    throw new ServiceError('region_unsupported', 'No region is configured, so no wallet app can approve.')
  }
  if (!(await hasOwnMandate(call, call.actor))) {
    throw new ServiceError('forbidden', 'Add a wallet app first.')
  }
  const created = await createPersonsRequest(call, {
    purpose: 'approval',
    subjectId: purchase.authorization_id,
    query: ownMandateQuery(call),
    transaction_data: { ...transaction, type: OWN_PAYMENT },
  })
  return { ...created, expiresAt: created.expiresAt < expiresAt ? created.expiresAt : expiresAt }
}

function ownMandateQuery({ platform }: WalletCall) {
  const type = credentialType(platform.config.baseUrl, 'service_mandate')
  const mandate = {
    id: 'own_mandate',
    format: 'dc+sd-jwt' as const,
    meta: { vct_values: [type] },
    claims: [{ path: ['principal'] }],
  }
  return { credentials: [mandate] }
}
