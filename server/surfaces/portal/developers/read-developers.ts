import type { WalletCall } from '../../../base/core/call'
import { asSandbox } from '../../../base/platform/processor/sandbox'
import { type CardBehaviour, magicAmounts } from '../../../base/platform/processor/sandbox-cards'
import { readRequestLog } from '../../../shared/request-log'
import { listSandboxShops } from '../../sandbox'
import { findAgentNames } from '../shared/store'
import { listTestCards } from '../shared/test-cards'
import type { DevelopersView, RequestLogView } from './view'

const PATHS: readonly [DevelopersView['endpoints'][number]['name'], string][] = [
  ['metadata', '/.well-known/oauth-authorization-server'],
  ['jwks', '/oauth/jwks.json'],
  ['openapi', '/openapi.json'],
  ['docs', '/docs'],
  ['errors', '/docs/errors'],
]

/** Returns the addresses that an agent's developer needs, and in the sandbox its test data. */
export async function readDevelopers(call: WalletCall): Promise<DevelopersView> {
  const { baseUrl } = call.platform.config
  return {
    base_url: baseUrl,
    issuer: baseUrl,
    endpoints: PATHS.map(([name, path]) => ({ name, url: baseUrl + path })),
    sandbox: call.platform.config.sandbox ? await readSandbox(call) : null,
  }
}

async function readSandbox(call: WalletCall): Promise<NonNullable<DevelopersView['sandbox']>> {
  const { platform } = call
  const isMadeUp = asSandbox(platform.processor) !== null
  return {
    merchants: listSandboxShops(platform).map(({ name, audience, currencies }) => ({
      name,
      audience,
      catalog_url: `${audience}/.well-known/oid4ac-catalog`,
      currencies,
    })),
    amounts: isMadeUp ? amountsToTry() : [],
    cards: await listTestCards(call),
    outbox_url: `${platform.config.baseUrl}/sandbox/outbox`,
  }
}

function amountsToTry() {
  return Object.entries(magicAmounts).map(([amount, { behaviour }]) => ({
    amount_minor: Number(amount),
    behaviour: wordFor(behaviour),
  }))
}

function wordFor(behaviour: CardBehaviour) {
  return behaviour.kind === 'declined' ? behaviour.reason : behaviour.kind
}

/**
 * Returns the API requests of the person's agents and tokens in the last seven days, which only the sandbox records.
 */
export async function listRequests({ platform, actor }: WalletCall): Promise<RequestLogView> {
  const [requests, agents] = await Promise.all([
    readRequestLog(platform, actor.principalId),
    findAgentNames(platform.db, actor.principalId),
  ])
  return {
    kept: platform.config.sandbox,
    requests: requests.map((request) => ({
      ...request,
      agent_label: request.client_id === null ? null : (agents.get(request.client_id) ?? null),
    })),
  }
}
