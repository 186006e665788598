import { operation } from '../../base/contract/endpoint'
import { allowAgent } from './allow-agent'
import {
  allowAgentEndpoint,
  denyAgentEndpoint,
  readMerchantRulesEndpoint,
  readPolicyEndpoint,
  saveMerchantGateEndpoint,
  saveMerchantRuleEndpoint,
} from './contract'
import { denyAgent } from './deny-agent'
import { readMerchantRules as readMerchantRulesVerb } from './read-merchant-rules'
import { readPolicy } from './read-policy'
import { saveMerchantGate as saveMerchantGateVerb } from './save-merchant-gate'
import { saveMerchantRule as saveMerchantRuleVerb } from './save-merchant-rule'

export { eraseRules } from './erase-rules'
export { merchantRulesRevisionSql, ruledMerchantsSql } from './own-rules-store'
export { rulingSql } from './ruling'
export { previewMerchantRule } from './save-merchant-rule'
export { readStoredMerchantRules } from './stored-data'

/** POST /wallet/policy/{merchant_audience}/deny. 404 for another tenant's agent or an unknown one. */
export const denyAgentAtMerchant = operation(denyAgentEndpoint, denyAgent)
/** POST /wallet/policy/{merchant_audience}/allow. 400 when it says nothing; 404 for another tenant's agent or an unknown one. */
export const allowAgentAtMerchant = operation(allowAgentEndpoint, allowAgent)
/** GET /wallet/policy/{merchant_audience}/list. */
export const readMerchantPolicy = operation(readPolicyEndpoint, readPolicy)
/** GET /wallet/merchant-rules. */
export const readMerchantRules = operation(readMerchantRulesEndpoint, readMerchantRulesVerb)
/** POST /wallet/merchant-rules. 401 for a token that does not suffice; 404 for another person's agent or an unknown one; 422 for what is no merchant, and beyond 900 rules (1,000 in the portal). */
export const saveMerchantRule = operation(saveMerchantRuleEndpoint, saveMerchantRuleVerb)
/** POST /wallet/merchant-rules/gate. 401 for a token that does not suffice. */
export const saveMerchantGate = operation(saveMerchantGateEndpoint, saveMerchantGateVerb)
