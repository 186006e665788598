import path from 'node:path'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { ApiError, CommandError, type OperatorClient, readJson, sendRequest } from '../operator-client'
import {
  type Catalog,
  type CatalogItem,
  checkAudit,
  checkCatalog,
  checkReceipt,
  readLeftToday,
  type Settlement,
  type WalletLimits,
} from './checks'
import { bold, formatMoney, green, type Narrator, red, shorten } from './narrator'
import type { DemoOptions, Outcome } from './options'
import { promptPerson } from './prompt-person'
import { AGE, forgetAge, proveAge, showDisclosedAge } from './prove-age'
import type { ToolHost } from './tool-host'
import { Wallet } from './wallet'

interface Shop {
  readonly id: string
  readonly name: string
  /** The title of the item that the agent buys there. */
  readonly title: string
}

const books: Shop = { id: 'tallow-books', name: 'Tallow Books', title: 'The Left Hand of Darkness' }
const spirits: Shop = { id: 'copper-still', name: 'Copper Still', title: 'Harvest gin, 20 cl' }
const shopOf = ({ age }: DemoOptions): Shop => (age ? spirits : books)

/** The agent's redirect URI, where nothing listens. */
export const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
const PATIENCE_SECONDS = 300
const SHORT_PATIENCE_SECONDS = 5
const ok = green('✓')

/** The options, the output, the operator's client and the model host of the demo. */
export interface Demo {
  readonly options: DemoOptions
  readonly narrator: Narrator
  readonly operator: OperatorClient
  readonly host: ToolHost
  /** What stands before a command that is to reach the same server. */
  readonly prefix: string
  /** The file with the agent's requests and responses. */
  readonly rawLog: string
}

interface Purchase {
  readonly clientId: string
  readonly catalog: Catalog
  readonly item: CatalogItem
  readonly quantity: number
  readonly amountMinor: number
}

/** Throws when the demo cannot run against the server, and says what to do. */
export async function checkServer(baseUrl: string): Promise<void> {
  const metadata = (await readJson(await sendRequest(`${baseUrl}/.well-known/oauth-authorization-server`))) as {
    issuer?: unknown
  }
  if (metadata.issuer !== baseUrl) {
    throw new CommandError(
      `The server at ${baseUrl} calls itself ${String(metadata.issuer)}. Set BASE_URL to that address.`,
    )
  }
  const shop = await sendRequest(`${baseUrl}/sandbox/merchants/${books.id}`, {
    headers: { accept: 'application/json' },
  })
  if (shop.status === 404)
    throw new CommandError('This server is not a sandbox, so there is nobody to buy from (SANDBOX=true).')
}

/** Runs the demo: an agent registers, browses and buys, and every answer is checked. */
export async function runDemo(demo: Demo): Promise<Outcome> {
  const { narrator, operator, options } = demo
  narrator.say('')
  const shop = shopOf(options)
  narrator.say(bold(`Demo: an agent buys "${shop.title}" from ${shop.name}`))
  const wallet = await Wallet.open(operator, demoPerson.id)
  if (options.age) await forgetAge(operator)
  const clientId = await register(demo)
  const { catalog, item } = await browse(demo)
  const quantity = options.overCap ? await quantityOverCap(wallet, item) : 1
  const purchase = { clientId, catalog, item, quantity, amountMinor: quantity * item.unit_price_minor }
  const result = await payOfAge(demo, wallet, purchase)
  const outcome = result['status'] as Outcome
  if (outcome === 'paid') await showPaid(demo, wallet, result)
  else showUnpaid(demo, purchase, result)
  return outcome
}

async function register({ narrator, operator, host }: Demo): Promise<string> {
  const args = {
    setup_token: await mintSetupToken(operator),
    as_url: operator.baseUrl,
    redirect_uris: [REDIRECT_URI],
    client_name: 'Demo agent',
  }
  const registered = await host.call({ name: 'agent_register', args })
  const clientId = String(registered['client_id'])
  const text = `${ok} setup token used · client ${shorten(clientId)} · keys stay with the agent`
  narrator.step({ name: 'register', title: 'Register agent', text, members: { client_id: clientId } })
  return clientId
}

/** Returns a setup token of Ada's. */
export async function mintSetupToken(operator: OperatorClient): Promise<string> {
  try {
    const minted = await operator.request('POST', '/sandbox/setup-tokens', { principal_id: demoPerson.id })
    return (minted as { setup_token: string }).setup_token
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error
    const advice = 'Reset the sandbox (press r where `npm start` runs), or delete its data directory.'
    throw new CommandError(`Ada cannot take a new agent: ${error.message}\n${advice}`)
  }
}

/**
 * Pays. Where an age is required, the first attempt fails without a proof; the person gives one, and the agent tries
 * again.
 */
async function payOfAge(demo: Demo, wallet: Wallet, purchase: Purchase) {
  const first = await pay(demo, wallet, purchase)
  if (!demo.options.age || first['status'] !== 'setup_required') return first
  const { narrator, operator } = demo
  const text = `${red('✗')} setup_required · the shop sells only to people of ${AGE} and older`
  narrator.step({
    name: 'setup_required',
    title: 'Age is needed',
    text,
    members: { status: 'setup_required', age: AGE },
  })
  await proveAge(demo, operator)
  return pay(demo, wallet, purchase)
}

/** Returns the catalog and the item that the agent buys, both verified. */
export async function browse({ narrator, host, options }: Demo): Promise<{ catalog: Catalog; item: CatalogItem }> {
  const shop = shopOf(options)
  const answer = await host.call({ name: 'agent_browse_merchant', args: { merchant_id: shop.id } })
  const catalog = answer as unknown as Catalog
  const item = catalog.items.find(({ title }) => title === shop.title)
  if (item === undefined) throw new CommandError(`${shop.name} does not offer "${shop.title}".`)
  await checkCatalog(catalog, item)
  const digest = item.offer_digest
  const text = `${ok} ${catalog.items.length} items · signature valid · offer digest ${shorten(digest)}`
  const members = { items: catalog.items.length, signature_valid: true, offer_id: item.offer_id, offer_digest: digest }
  narrator.step({ name: 'browse', title: 'Browse catalog', text, members })
  return { catalog, item }
}

/** Returns the smallest quantity that exceeds the person's limit for one payment. */
async function quantityOverCap(wallet: Wallet, item: CatalogItem): Promise<number> {
  const limits = await wallet.get<WalletLimits | null>('/wallet/limits')
  const cap = limits?.currency === item.currency ? limits.single_txn_cap_minor : null
  if (cap === null)
    throw new CommandError('Ada has no limit for one payment. Set one in the portal, then try --over-cap again.')
  return Math.floor(cap / item.unit_price_minor) + 1
}

async function pay({ narrator, host, options }: Demo, wallet: Wallet, purchase: Purchase) {
  const { clientId, catalog, item, quantity, amountMinor } = purchase
  const { currency } = item
  let accepted = false
  const onAccepted = () => {
    if (accepted) return
    accepted = true
    const text = `${ok} ${quantity} × ${formatMoney(item.unit_price_minor, currency)}, exact items and offer, request pushed`
    const members = { amount_minor: amountMinor, currency, quantity }
    narrator.step({ name: 'ask', title: 'Ask for payment', text, members })
  }
  const expected = { clientId, merchant: catalog.merchant, amountMinor, currency }
  const person = promptPerson(expected, { options, narrator, wallet, onAccepted })
  try {
    const args = toPayment(purchase, options)
    const paying = host.call({ name: 'agent_payment_initiate', args, onProgress: person.onProgress })
    const result = await Promise.race([paying, person.failed])
    onAccepted()
    return result
  } finally {
    person.end()
  }
}

function toPayment({ catalog, item, quantity, amountMinor }: Purchase, { decision }: DemoOptions) {
  const { sku, unit_price_minor, currency, offer_id, offer_digest } = item
  return {
    merchant_url: catalog.merchant,
    merchant_base_api: catalog.merchant,
    amount: { amount_minor: amountMinor, currency },
    line_items: [{ sku, qty: quantity, unit_price_minor, currency }],
    offer_id,
    offer_digest,
    redirect_uri: REDIRECT_URI,
    consent_mode_hint: 'dashboard',
    consent_poll_timeout_seconds: decision === 'nobody' ? SHORT_PATIENCE_SECONDS : PATIENCE_SECONDS,
  }
}

async function showPaid(
  { narrator, operator, options, prefix, rawLog }: Demo,
  wallet: Wallet,
  result: Readonly<Record<string, unknown>>,
) {
  const { baseUrl } = operator
  const settlement = result['settlement'] as Settlement
  const { mandate_id, payment_intent_id, amount_minor, currency } = settlement
  const order_id = String(result['order_id'])
  const mandateText = `${ok} mandate ${shorten(mandate_id)} for this purchase only, bound to the agent's key`
  narrator.step({ name: 'mandate', title: 'Token + mandate', text: mandateText, members: { mandate_id } })
  const paidText = `${ok} order ${order_id} · settled ${payment_intent_id}`
  narrator.step({ name: 'pay', title: 'Pay merchant', text: paidText, members: { order_id, payment_intent_id } })
  if (options.age) showDisclosedAge(narrator, result)
  const kid = await checkReceipt(baseUrl, settlement)
  const audit = await checkAudit(wallet, payment_intent_id)
  const left = await readLeftToday(wallet, currency)
  const leftText = left === null ? '' : ` · left today ${formatMoney(left, currency)}`
  narrator.say(bold(`PAID ${formatMoney(amount_minor, currency)}${leftText}`))
  narrator.say(`  receipt   ${ok} verified offline (kid ${shorten(kid)})  ${baseUrl}/payments/${payment_intent_id}`)
  narrator.say(`  audit     ${ok} entry ${audit.seq} shows the payment · all ${audit.entries} entries about Ada verify`)
  narrator.say(`  raw log   ${path.relative('', rawLog)}  (the agent's requests and responses, secrets cut)`)
  narrator.say('')
  narrator.say(`Try: ${prefix}npm run demo -- --decline | --timeout | --over-cap | --age | --replay | --tamper`)
  narrator.say(`     ${prefix}npm run demo -- --yes       no browser, exits 0 (used by CI)`)
  narrator.fact('receipt', { verified: true, kid })
  narrator.fact('audit', { verified: true, ...audit })
  narrator.fact('result', { status: 'paid', amount_minor, currency, left_today_minor: left })
}

function showUnpaid({ narrator, operator }: Demo, purchase: Purchase, result: Readonly<Record<string, unknown>>): void {
  const amount = formatMoney(purchase.amountMinor, purchase.item.currency)
  const texts: Readonly<Record<string, string>> = {
    declined: `DECLINED ${amount} · nothing was charged, and the agent is told that this is final`,
    step_up_required: `NOT DECIDED ${amount} · nothing was charged; the request waits at ${operator.baseUrl}/approvals`,
    setup_required: `SETUP REQUIRED · Ada has no card; add one at ${operator.baseUrl}/cards`,
  }
  const { status, error } = result
  narrator.say(red(texts[String(status)] ?? String(status)))
  narrator.fact('result', { status, ...(error === undefined ? {} : { error }) })
}
