import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { currencyCode, minorUnits, pathId } from '../../../base/contract/wire'
import { MAX_AMOUNT_MINOR } from '../../../base/core/money'
import { confirmable } from '../../../identity/passkeys/contract'
import { saveLimitsBody } from '../../../wallet/limits/contract'
import { approvalRules } from '../input'

/** Asking less often needs the person's confirmation. */
export const chooseApprovalRuleProcedure = definePortalProcedure({
  input: z.strictObject({ approval_rule: z.enum(approvalRules), ...confirmable }),
  stepUp: 'security.relax',
})

/** Confirming less by mail needs the person's confirmation. */
export const chooseMagicLinkGateProcedure = definePortalProcedure({
  input: z.strictObject({ magic_link_gate: z.boolean(), ...confirmable }),
  stepUp: 'security.relax',
})

export const previewPurchaseProcedure = definePortalProcedure({
  input: z.strictObject({
    amount_minor: minorUnits.min(1).max(MAX_AMOUNT_MINOR),
    currency: currencyCode,
    /** By whom and where; both may be left open. */
    client_id: pathId.optional(),
    merchant_audience: z.string().min(1).max(2_048).optional(),
  }),
})

/** The limits as they would be saved; what is left out is none. */
export const readAskedCountProcedure = definePortalProcedure({ input: saveLimitsBody })
