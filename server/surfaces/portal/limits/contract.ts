import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { currencyCode } from '../../../base/contract/wire'
import { confirmable } from '../../../identity/passkeys/contract'
import { currencyCaps, saveLimitsBody } from '../../../wallet/limits/contract'
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

/** The limits as they would be saved; what is left out is none, but for other currencies, which are as they are stored. */
export const readAskedCountProcedure = definePortalProcedure({
  input: saveLimitsBody.extend({ other_currencies: z.record(currencyCode, currencyCaps).optional() }),
})
