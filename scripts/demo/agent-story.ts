import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { CommandError, type OperatorClient } from '../operator-client'
import type { Catalog, CatalogItem } from './checks'
import { formatMoney } from './narrator'
import type { ToolAnswer, ToolHost } from './tool-host'
import type { Transcript } from './transcript'
import type { PendingRequest, Wallet } from './wallet'

const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
const TITLE = 'The Left Hand of Darkness'

/** The operator, host, wallet and transcript of the story. */
export interface Story {
  readonly operator: OperatorClient
  readonly host: ToolHost
  readonly wallet: Wallet
  readonly transcript: Transcript
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Runs an agent through every kind of tool: it is registered, finds a merchant, browses, requests, is approved, pays,
 * reads the history, and is revoked.
 */
export async function tellStory(story: Story): Promise<void> {
  const { transcript } = story
  transcript.step('The person connects an agent that pays and one that looks after the wallet')
  const agentId = await connect(story, 'agent_register', { client_name: 'Bookworm' })
  const walletId = await connect(story, 'agent_wallet_register', {
    client_name: 'Housekeeper',
    purpose: 'Looks after the wallet',
    scope: 'wallet:read wallet:write audit:read',
  })
  transcript.step('“Find a shop that sells books”')
  const { merchants } = (await tell(story, 'discovery_list_merchants', { q: 'books' })).data
  const [shop] = merchants as readonly { id: string }[]
  transcript.step(`“What does it cost to buy ${TITLE} there?”`)
  const catalog = (await tell(story, 'agent_browse_merchant', { merchant_id: shop?.id })).data as unknown as Catalog
  transcript.step('“Buy it”')
  await approved(story, agentId, { name: 'agent_payment_initiate', args: toPayment(catalog) })
  transcript.step('“What did my agents spend?”')
  const asPerson = { principal_token: 'session:default' }
  await approved(story, walletId, { name: 'agent_payment_history', args: asPerson })
  transcript.step('“Show me the record of that payment”')
  const paid = { ...asPerson, event_types: ['oid4ac.payment.succeeded'], limit: 1 }
  await tell(story, 'agent_audit_chain_query', paid)
  transcript.step('“Stop the agent that bought it”')
  const way = { as_url: story.operator.baseUrl, resource: story.operator.baseUrl, redirect_uri: REDIRECT_URI }
  await approved(story, walletId, { name: 'agent_wallet_list_agents', args: way })
  await approved(story, walletId, { name: 'agent_wallet_revoke_agent', args: { ...way, agent_client_id: agentId } })
  transcript.step('The agent tries once more')
  await tell(story, 'agent_payment_initiate', toPayment(catalog, 2))
}

async function connect(story: Story, name: string, more: Arguments): Promise<string> {
  const { operator } = story
  const minted = await operator.request('POST', '/sandbox/setup-tokens', { principal_id: demoPerson.id })
  const token = (minted as { setup_token: string }).setup_token
  const args = { setup_token: token, as_url: operator.baseUrl, redirect_uris: [REDIRECT_URI], ...more }
  const answer = await tell(story, name, args)
  if (answer.isError) throw new CommandError(answer.texts.join('\n'))
  return String(answer.data['client_id'])
}

/** Calls a tool that needs no approval, and prints its answer. */
async function tell({ host, transcript }: Story, name: string, args: Arguments): Promise<ToolAnswer> {
  transcript.calls(name, args)
  const answer = await host.ask({ name, args })
  transcript.answers(answer)
  return answer
}

/** Calls a tool that needs an approval; the person approves once the host has received the question. */
async function approved(
  { host, wallet, transcript }: Story,
  clientId: string,
  { name, args }: { readonly name: string; readonly args: Arguments },
): Promise<void> {
  transcript.calls(name, args)
  let onAsked: (message: string) => void = () => undefined
  const asked = new Promise<string>((resolve) => {
    onAsked = resolve
  })
  const call = host.ask({ name, args, onProgress: (message) => onAsked(message) })
  const question = await Promise.race([asked, call])
  if (typeof question !== 'string') throw new CommandError(question.texts.join('\n'))
  transcript.hears(question)
  const waiting = await wallet.findPending(clientId)
  if (waiting === null) throw new CommandError('Nothing waits for the person.')
  transcript.person(`sees ${describe(waiting)} in the wallet, and presses Approve`)
  await wallet.decide(waiting.authorization_id, 'approve')
  transcript.answers(await call)
}

function describe({ amount_minor: amount, currency, merchant_audience: merchant, scope }: PendingRequest): string {
  if (amount === undefined || currency === undefined) return `access to the wallet (${scope ?? ''})`
  return `${formatMoney(amount, currency)} to ${merchant ?? ''}`
}

function toPayment(catalog: Catalog, quantity = 1): Arguments {
  const item = catalog.items.find(({ title }) => title === TITLE)
  if (item === undefined) throw new CommandError(`${catalog.merchant} does not offer "${TITLE}".`)
  const { sku, unit_price_minor, currency, offer_id, offer_digest }: CatalogItem = item
  return {
    merchant_url: catalog.merchant,
    merchant_base_api: catalog.merchant,
    amount: { amount_minor: quantity * unit_price_minor, currency },
    line_items: [{ sku, qty: quantity, unit_price_minor, currency }],
    offer_id,
    offer_digest,
    redirect_uri: REDIRECT_URI,
    consent_mode_hint: 'dashboard',
  }
}
