import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { currencyCode } from '../../../base/contract/wire'
import { confirmable } from '../../../identity/passkeys/contract'
import { currencyCaps, saveLimitsBody } from '../../../wallet/limits/contract'
import { approvalRules } from '../input'

/** Saves the approval rule. A rule that asks less often requires the person's confirmation. */
export const chooseApprovalRuleProcedure = definePortalProcedure({
  input: z.strictObject({ approval_rule: z.enum(approvalRules), ...confirmable }),
  stepUp: 'security.relax',
})

/** Saves the magic-link gate. Turning it off requires the person's confirmation. */
export const chooseMagicLinkGateProcedure = definePortalProcedure({
  input: z.strictObject({ magic_link_gate: z.boolean(), ...confirmable }),
  stepUp: 'security.relax',
})

/**
 * Reads the count for limits that need not be saved. Omitted limits are none; omitted other currencies are those that
 * are stored.
 */
export const readAskedCountProcedure = definePortalProcedure({
  input: saveLimitsBody.extend({ other_currencies: z.record(currencyCode, currencyCaps).optional() }),
})
