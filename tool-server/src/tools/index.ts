import { agentAuditChainQuery } from './agent-audit-chain-query.js'
import { agentBrowseMerchant } from './agent-browse-merchant.js'
import { agentBuyCheapestFromStore } from './agent-buy-cheapest-from-store.js'
import { agentDsarInitiate } from './agent-dsar-initiate.js'
import { agentPaymentHistory } from './agent-payment-history.js'
import { agentPaymentInitiate } from './agent-payment-initiate.js'
import { agentRegister } from './agent-register.js'
import { agentVerifyMandate } from './agent-verify-mandate.js'
import { agentWalletListAgents } from './agent-wallet-list-agents.js'
import { agentWalletRegister } from './agent-wallet-register.js'
import { agentWalletRevokeAgent } from './agent-wallet-revoke-agent.js'
import type { Tool } from './define-tool.js'
import { discoveryListMerchants } from './discovery-list-merchants.js'

/** Every tool, in the order in which hosts see them. The order is fixed, since hosts cache the list. */
export const tools: readonly Tool[] = [
  agentRegister,
  agentPaymentInitiate,
  agentVerifyMandate,
  discoveryListMerchants,
  agentBrowseMerchant,
  agentWalletRegister,
  agentWalletListAgents,
  agentWalletRevokeAgent,
  agentBuyCheapestFromStore,
  agentDsarInitiate,
  agentAuditChainQuery,
  agentPaymentHistory,
]
