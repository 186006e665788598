import { operation } from '../contract/endpoint'
import { allowAgent } from './allow-agent'
import { allowAgentEndpoint, denyAgentEndpoint, readPolicyEndpoint } from './contract'
import { denyAgent } from './deny-agent'
import { readPolicy } from './read-policy'

/** POST /wallet/policy/{merchant_audience}/deny. 404 for another tenant's agent or an unknown one. */
export const denyAgentAtMerchant = operation(denyAgentEndpoint, denyAgent)
/** POST /wallet/policy/{merchant_audience}/allow. 400 when it says nothing; 404 for another tenant's agent or an unknown one. */
export const allowAgentAtMerchant = operation(allowAgentEndpoint, allowAgent)
/** GET /wallet/policy/{merchant_audience}/list. */
export const readMerchantPolicy = operation(readPolicyEndpoint, readPolicy)
