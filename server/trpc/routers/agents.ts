import { endAccess, revokeAgentInPortal } from '../../agents'
import { revocation } from '../../agents/contract'
import { readSetupToken } from '../../clients'
import { readAgentLimits, saveAgentLimitsInPortal } from '../../limits'
import { agentLimitsChoice } from '../../limits/contract'
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
import { portalMutation, portalQuery, query } from '../procedures'

export const agentsRouter = t.router({
  list: portalQuery(nothing, listAgentSummaries),
  one: portalQuery(agentChoice, readAgentDetail),
  revoke: portalMutation(revocation, revokeAgentInPortal),
  connect: portalMutation(agentPlan, connectAgent),
  setupToken: portalQuery(setupTokenChoice, readSetupToken),
  cancelSetupToken: portalMutation(setupTokenChoice, cancelConnection),
  forgetMerchant: portalMutation(rememberedChoice, forgetMerchant),
  endAccess: portalMutation(accessChoice, endAccess),
  limits: query(readAgentLimits),
  saveLimits: portalMutation(agentLimitsChoice, saveAgentLimitsInPortal),
})
