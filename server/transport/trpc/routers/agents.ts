import { noInput } from '../../../base/contract/portal-procedure'
import { readSetupToken } from '../../../oauth/clients'
import { endAccess, pauseAgent, resumeAgent, revokeAgent } from '../../../surfaces/agents'
import { endAccessProcedure, resumeAgentProcedure } from '../../../surfaces/agents/contract'
import {
  cancelConnection,
  connectAgent,
  connectAgentProcedure,
  forgetMerchant,
  forgetMerchantProcedure,
  listAgentSummaries,
  readAgentDetail,
  readAgentProcedure,
  setupTokenProcedure,
} from '../../../surfaces/portal'
import { readAgentLimits, saveAgentLimits } from '../../../wallet/limits'
import { saveAgentLimitsProcedure } from '../../../wallet/limits/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const agentsRouter = t.router({
  list: portalQuery(noInput, listAgentSummaries),
  one: portalQuery(readAgentProcedure, readAgentDetail),
  pause: mutation(pauseAgent),
  resume: portalMutation(resumeAgentProcedure, resumeAgent.verb),
  revoke: mutation(revokeAgent),
  connect: portalMutation(connectAgentProcedure, connectAgent),
  setupToken: portalQuery(setupTokenProcedure, readSetupToken),
  cancelSetupToken: portalMutation(setupTokenProcedure, cancelConnection),
  forgetMerchant: portalMutation(forgetMerchantProcedure, forgetMerchant),
  endAccess: portalMutation(endAccessProcedure, endAccess),
  limits: query(readAgentLimits),
  saveLimits: portalMutation(saveAgentLimitsProcedure, saveAgentLimits.verb),
})
