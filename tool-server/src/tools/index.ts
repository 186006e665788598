import { agentBrowseMerchant } from './agent-browse-merchant.js'
import { agentPaymentInitiate } from './agent-payment-initiate.js'
import { agentRegister } from './agent-register.js'
import type { Tool } from './define-tool.js'
import { discoveryListMerchants } from './discovery-list-merchants.js'

/** Every tool, in the order in which hosts see them. The order never changes by itself: hosts cache it. */
export const tools: readonly Tool[] = [agentRegister, agentPaymentInitiate, discoveryListMerchants, agentBrowseMerchant]
