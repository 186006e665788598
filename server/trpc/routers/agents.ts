import { endAccess, revokeAgent } from '../../agents'
import { readSetupToken } from '../../clients'
import { readAgentLimits, saveAgentLimits } from '../../limits'
import { cancelConnection, connectAgent, forgetMerchant, listAgentSummaries, readAgentDetail } from '../../portal'
import {
  accessChoice,
  agentChoice,
  agentPlan,
  nothing,
  rememberedChoice,
  setupTokenChoice,
} from '../../portal/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const agentsRouter = t.router({
  list: portalQuery(nothing, listAgentSummaries),
  one: portalQuery(agentChoice, readAgentDetail),
  revoke: mutation(revokeAgent),
  connect: portalMutation(agentPlan, connectAgent),
  setupToken: portalQuery(setupTokenChoice, readSetupToken),
  cancelSetupToken: portalMutation(setupTokenChoice, cancelConnection),
  forgetMerchant: portalMutation(rememberedChoice, forgetMerchant),
  endAccess: portalMutation(accessChoice, endAccess),
  limits: query(readAgentLimits),
  saveLimits: mutation(saveAgentLimits),
})
