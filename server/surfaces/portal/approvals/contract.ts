import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { identifier, pathId } from '../../../base/contract/wire'
import { shownPurchase } from '../../../wallet/approvals/contract'

/** By the request's id or by the handle in the agent's link. */
export const readApprovalProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

/** Asks a wallet app to approve what the page shows. The presentation confirms it, so there is no step-up here. */
export const openWalletRequestProcedure = definePortalProcedure({
  input: z.strictObject({ authorization_id: identifier(255), shown: shownPurchase }),
  switch: 'consent_scan',
})

/** By the id that asking answered. */
export const readWalletAnswerProcedure = definePortalProcedure({ input: z.strictObject({ request_id: pathId }) })
