import { noInput } from '../../../base/contract/portal-procedure'
import { readSetupToken } from '../../../oauth/clients'
import { endAccess, pauseAgent, renameAgent, resumeAgent, revokeAgent } from '../../../surfaces/agents'
import { endAccessProcedure, renameAgentProcedure, resumeAgentProcedure } from '../../../surfaces/agents/contract'
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
import { chooseAgentCard } from '../../../wallet/cards'
import { chooseAgentCardProcedure } from '../../../wallet/cards/contract'
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
  rename: portalMutation(renameAgentProcedure, renameAgent),
  chooseCard: portalMutation(chooseAgentCardProcedure, chooseAgentCard),
  connect: portalMutation(connectAgentProcedure, connectAgent),
  setupToken: portalQuery(setupTokenProcedure, readSetupToken),
  cancelSetupToken: portalMutation(setupTokenProcedure, cancelConnection),
  forgetMerchant: portalMutation(forgetMerchantProcedure, forgetMerchant),
  endAccess: portalMutation(endAccessProcedure, endAccess),
  limits: query(readAgentLimits),
  saveLimits: portalMutation(saveAgentLimitsProcedure, saveAgentLimits.verb),
})
