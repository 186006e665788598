import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { identifier, pathId } from '../../../base/contract/wire'
import { shownPurchase } from '../../../wallet/approvals/contract'

/** Reads an approval by the request's id or by the handle in the agent's link. */
export const readApprovalProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

/**
 * Creates a request for a wallet app to approve the shown purchase. The presentation confirms it, so no step-up is
 * required.
 */
export const openWalletRequestProcedure = definePortalProcedure({
  input: z.strictObject({ authorization_id: identifier(255), shown: shownPurchase }),
  switch: 'consent_scan',
})

/** Reads the answer by the id that creating the request returned. */
export const readWalletAnswerProcedure = definePortalProcedure({ input: z.strictObject({ request_id: pathId }) })
