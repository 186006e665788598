/** `--replay` and `--tamper`: what somebody may try with an agent's approved purchase, and how it is refused. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { verifyResponse } from '@/server/base/protocol/http-signature'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { CountersignClient, mintKey, Refusal } from '../../tool-server/src/client'
import { CommandError, sendRequest } from '../operator-client'
import { type Catalog, type CatalogItem, fetchCatalog } from './checks'
import { bold, formatMoney, green, red } from './narrator'
import type { Outcome } from './options'
import { browse, type Demo, mintSetupToken, REDIRECT_URI } from './run-demo'
import { Wallet } from './wallet'

const ok = green('✓')

/** An approved purchase: the agent's client, the mandate and what it is for. */
interface Approved {
  readonly client: CountersignClient
  readonly catalog: Catalog
  readonly item: CatalogItem
  readonly order: ReturnType<typeof toOrder>
  readonly mandate: string
  readonly accessToken: string
}

/** Runs the demo up to Ada's approval, and then what must be refused. */
export async function runMisuse(demo: Demo, misuse: 'replay' | 'tamper'): Promise<Outcome> {
  const { narrator } = demo
  narrator.say('')
  narrator.say(bold(`Demo: what an agent cannot do with an approved purchase (${misuse})`))
  const client = await register(demo)
  const { catalog, item } = await browse(demo)
  const approved = await approve(demo, { client, catalog, item, order: toOrder(catalog, item) })
  await (misuse === 'replay' ? replay(demo, approved) : tamper(demo, approved))
  const outcome = misuse === 'replay' ? 'paid' : 'refused'
  const words = misuse === 'replay' ? 'PAID once' : 'REFUSED, nothing was charged'
  narrator.say(bold(`${words} · ${formatMoney(item.unit_price_minor, item.currency)}`))
  narrator.fact('result', { status: outcome })
  return outcome
}

async function register({ operator, narrator }: Demo): Promise<CountersignClient> {
  const client = new CountersignClient({ asUrl: operator.baseUrl, dpopKey: mintKey(), assertionKey: mintKey() })
  const setupToken = await mintSetupToken(operator)
  await client.register({ setupToken, redirectUris: [REDIRECT_URI], clientName: 'Demo agent' })
  narrator.step({
    name: 'register',
    title: 'Register agent',
    text: `${ok} with the client library`,
    members: { client_id: client.clientId },
  })
  return client
}

function toOrder({ merchant }: Catalog, { sku, unit_price_minor, currency, offer_id, offer_digest }: CatalogItem) {
  const line_items = [{ sku, qty: 1, unit_price_minor, currency }]
  return { merchant, amount_minor: unit_price_minor, currency, line_items, offer_id, offer_digest }
}

/** Pushes the order, approves it as Ada over HTTP, and redeems the code. */
async function approve(
  { operator, narrator }: Demo,
  purchase: Omit<Approved, 'mandate' | 'accessToken'>,
): Promise<Approved> {
  const { client, order } = purchase
  const [codeVerifier, state] = [randomBytes(32).toString('base64url'), randomUUID()]
  const { request_uri: requestUri } = await client.pushAuthorizationRequest({
    redirectUri: REDIRECT_URI,
    scope: 'openid oid4ac:payment payment:execute',
    resources: [order.merchant],
    authorizationDetails: [{ type: 'oid4ac_mandate', ...order }],
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    state,
  })
  await client.status(requestUri)
  const wallet = await Wallet.open(operator, demoPerson.id)
  const pending = await wallet.findPending(client.clientId)
  if (pending !== null) await wallet.decide(pending.authorization_id, 'approve')
  const decided = await client.authorize({ requestUri, redirectUri: REDIRECT_URI, state })
  if (decided.kind !== 'code') throw new CommandError(`The purchase was not approved: ${decided.kind}.`)
  const tokens = await client.exchangeCode({ code: decided.code, redirectUri: REDIRECT_URI, codeVerifier })
  if (tokens.mandate_jwt === undefined) throw new CommandError('There is no mandate.')
  const text = `${ok} approved as Ada over HTTP · the agent has a mandate for this purchase`
  narrator.step({ name: 'approval', title: 'Your approval', text, members: {} })
  return { ...purchase, mandate: tokens.mandate_jwt, accessToken: tokens.access_token }
}

/** Settles once, then again with the same idempotency key and with another one. */
async function replay(demo: Demo, { client, mandate, accessToken }: Approved): Promise<void> {
  const settle = (idempotencyKey: string) => client.settle({ mandate, idempotencyKey }, accessToken)
  const key = randomUUID()
  const first = await settle(key)
  const again = await settle(key)
  if (again.receipt_jws !== first.receipt_jws) throw new CommandError('A repeated settlement has another receipt.')
  const text = `${ok} the same receipt, and no second charge`
  demo.narrator.step({ name: 'same_key', title: 'Same key again', text, members: { replayed: true } })
  await refused(demo, { name: 'another_key', title: 'Another key' }, () => settle(randomUUID()))
}

/** Changes the catalog, the order and the mandate, each on its own. */
async function tamper(demo: Demo, approved: Approved): Promise<void> {
  const { client, catalog, item, order, mandate, accessToken } = approved
  await refused(demo, { name: 'catalog', title: 'Changed catalog' }, async () => {
    const check = await fetchCatalog(catalog)
    const text = Buffer.from(check.body).toString().replace(`${item.unit_price_minor}`, '1')
    await verifyResponse({ ...check, body: new TextEncoder().encode(text) })
  })
  await refused(demo, { name: 'order', title: 'Changed order' }, async () => {
    const line_items = order.line_items.map((line) => ({ ...line, unit_price_minor: 1 }))
    await placeOrder(approved, { ...order, line_items })
  })
  await refused(demo, { name: 'mandate', title: 'Changed mandate' }, async () => {
    const [head = '', payload = '', ...rest] = mandate.split('.')
    const claims = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999')
    const changed = [head, Buffer.from(claims).toString('base64url'), ...rest].join('.')
    await client.settle({ mandate: changed, idempotencyKey: randomUUID() }, accessToken)
  })
}

async function placeOrder({ client, order, mandate }: Approved, changed: Approved['order']): Promise<void> {
  const expected = { merchant: order.merchant, amountMinor: order.amount_minor, currency: order.currency }
  const { audience } = await client.verifyMandate(mandate, expected)
  const url = `${order.merchant}/payments`
  const { nonce } = (await (await sendRequest(`${order.merchant}/nonce`)).json()) as { nonce: string }
  const presentation = await client.present(mandate, { audience, nonce })
  const { line_items, offer_id, offer_digest } = changed
  const response = await sendRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', dpop: await client.prove({ method: 'POST', url, nonce }) },
    body: JSON.stringify({ presentation, line_items, offer_id, offer_digest, idempotency_key: randomUUID() }),
  })
  const { error, code } = (await response.json()) as { error?: string; code?: string }
  if (!response.ok) throw new Refusal('payments', { status: response.status, code: error ?? code })
}

/** Tries what must be refused, and throws when it is not. */
async function refused(
  { narrator }: Demo,
  { name, title }: { readonly name: string; readonly title: string },
  attempt: () => Promise<unknown>,
): Promise<void> {
  const error = await attempt().then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new CommandError(`${title}: this was not refused.`)
  const reason = error instanceof Refusal ? `${error.status} ${error.code}` : error.message
  narrator.step({ name, title, text: `${red('✗')} refused: ${reason}`, members: { refused: reason } })
}
