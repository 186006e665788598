/** People whose agents buy, and their wallet apps, which know OpenID4VP and jose alone. */
import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { shownOf } from '@/components/approvals/shown'
import type { WalletCall } from '@/server/base/core/call'
import { offerOwnCredential } from '@/server/credentials/issuance'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import type { ConsentView, CredentialOfferView, WalletAnswer, WalletRequest } from '@/server/surfaces/portal'
import { Agent, type Answer, type Key, must, newPrincipal, operate, type PrincipalOptions } from '../support/actors'
import type { App } from '../support/app'
import { Browser, type BrowserAnswer, dataOf } from '../support/browser'
import { addPasskey, type PasskeyHolder, type PasskeyInBrowser } from '../support/passkey-holder'
import { codeOf, credentialOf, decodeCredential, freshNonce, newOffer, type Offer, Wallet } from './issuance-wallet'
import { fetchRequest, type RequestClaims, respond } from './wallet'

const ITEMS = [{ sku: 'book', title: 'The Tallow Trade', qty: 1, unit_price_minor: 1_200 }]

/** Trusts nobody but this server, which is enough: its own credentials approve. */
export async function configureRegion(app: App): Promise<void> {
  must(await operate(app, 'PUT', '/trust-lists/EU', { issuers: [] }), 200)
}

/** Somebody with the portal open, and an agent that asks before every purchase. */
export interface Shopper {
  readonly principalId: string
  readonly agent: Agent
  readonly page: Browser
  readonly call: () => WalletCall
}

export async function newShopper(app: App, options: PrincipalOptions = {}): Promise<Shopper> {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase', ...options })
  const page = new Browser(app.platform)
  await page.signInByMail(email)
  return { principalId, agent: await Agent.register(app, principalId), page, call: () => portalCall(app, principalId) }
}

/** The person in a session of the portal that was opened just now. */
function portalCall(app: App, principalId: string): WalletCall {
  const now = app.clock.now()
  const session = { id: randomUUID(), method: 'magic_link', authenticatedAt: now } as const
  const actor = { kind: 'wallet', principalId, tenantId: PORTAL_TENANT_ID, via: 'portal', session } as const
  return { platform: app.platform, requestId: randomUUID(), now, actor }
}

/** A credential with the key that it is bound to. */
export interface Held {
  readonly sdJwt: string
  readonly key: Key
  readonly id: string
}

interface Redeemable {
  readonly code: string
  readonly c_nonce: string
  readonly tx_code?: string | undefined
}

async function redeem(app: App, { code, c_nonce: nonce, tx_code: txCode }: Redeemable): Promise<Held> {
  const wallet = await Wallet.open(app)
  const sdJwt = credentialOf(await wallet.redeem(code, nonce, txCode === undefined ? {} : { tx_code: txCode }))
  return { sdJwt, key: wallet.key, id: String(decodeCredential(sdJwt).payload['jti']) }
}

const OFFER = { purpose: 'credential.offer', subject: { credential_configuration_id: 'service_mandate' } } as const

/** The same on the person's page, which is where their passkey is, if they have one. */
export async function addWalletOnPage(app: App, page: Browser, passkey?: PasskeyInBrowser): Promise<Held> {
  const proof = await passkey?.prove(page, OFFER)
  const made = dataOf<CredentialOfferView>(await page.mutate('credentials.offer', { proof }))
  const inline = new URL(made.deep_link).searchParams.get('credential_offer') ?? ''
  const offer = { credential_offer: JSON.parse(inline) as Offer['credential_offer'] }
  return redeem(app, { code: codeOf(offer), c_nonce: await freshNonce(app), tx_code: made.tx_code })
}

/** Adds a wallet app: an offer that the person confirmed, with their passkey if they have one, fetched by the wallet. */
export async function addWallet(app: App, { call }: Pick<Shopper, 'call'>, passkey?: PasskeyHolder): Promise<Held> {
  const person = call()
  const proof = await passkey?.confirm(person, OFFER)
  const { reply } = await offerOwnCredential(person, { ...(proof !== undefined && { proof }) })
  return redeem(app, { code: codeOf(reply), c_nonce: reply.c_nonce, tx_code: reply.tx_code })
}

/** The same type of credential about the same person, but by an offer of the operator's or a wallet client's backend. */
export async function fetchOfBackend(app: App, { principalId }: Pick<Shopper, 'principalId'>): Promise<Held> {
  const subject = { principal_id: principalId }
  return redeem(app, await newOffer(app, { credential_configuration_id: 'service_mandate', subject }))
}

/** Gives the person a passkey; answers what it confirms an offer with. */
export async function addPasskeyOf(shopper: Shopper) {
  const passkey = await addPasskey(shopper.call())
  const [row] = dataOf<{ passkeys: readonly { id: string }[] }>(await shopper.page.query('security.passkeys')).passkeys
  return { passkey, id: row?.id ?? '' }
}

/** A purchase that waits for the person. */
export interface Waiting {
  readonly id: string
  readonly requestUri: string
  readonly verifier: string
}

export async function order({ agent, page }: Shopper, more: Parameters<Agent['purchase']>[0] = {}): Promise<Waiting> {
  const before = new Set((await listWaiting(page)).map(({ authorization_id: id }) => id))
  const { form, verifier } = await agent.purchase({ line_items: ITEMS, ...more })
  const { request_uri: requestUri } = must(await agent.push(form), 201)
  const added = (await listWaiting(page)).find(({ authorization_id: id }) => !before.has(id))
  return { id: added?.authorization_id ?? '', requestUri, verifier }
}

const listWaiting = async (page: Browser) =>
  dataOf<{ pending: readonly ConsentView[] }>(await page.query('approvals.pending')).pending

export const readView = async ({ page }: Pick<Shopper, 'page'>, id: string): Promise<ConsentView> =>
  dataOf<ConsentView>(await page.query('approvals.one', { id }))

/** Presses "Use a wallet app" on the page of the request; `changes` replace what the page showed. */
export async function pressWallet(
  shopper: Pick<Shopper, 'page'>,
  id: string,
  changes: object = {},
): Promise<BrowserAnswer> {
  const view = await readView(shopper, id)
  const shown = { ...shownOf(view, view.ask_above_minor), ...changes }
  return shopper.page.mutate('approvals.askWallet', { authorization_id: id, shown })
}

/** The same when it works: the request, and what the wallet app fetches of it. */
export async function openWalletRequest(shopper: Pick<Shopper, 'page'>, id: string) {
  const asked = dataOf<WalletRequest>(await pressWallet(shopper, id))
  return { ...asked, claims: (await fetchRequest(asked.deep_link)).claims }
}

/** What the transaction data of a request say. */
export const readTransaction = ({ transaction_data: [text = ''] = [] }: RequestClaims): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** A presentation with everything; `changes` replace claims of the key binding, undefined takes one out. */
export async function presentMandate(
  { sdJwt, key }: Held,
  { client_id: aud, nonce, iat, transaction_data: data = [] }: RequestClaims,
  changes: Readonly<Record<string, unknown>> = {},
  typ = 'kb+jwt',
): Promise<string> {
  const claims = { iat, aud, nonce, sd_hash: sha256(sdJwt), transaction_data_hashes: data.map(sha256), ...changes }
  const binding = new SignJWT(claims).setProtectedHeader({ alg: key.alg, typ })
  return sdJwt + (await binding.sign(key.privateKey))
}

/** Presents to a request as the wallet app does. */
export async function present(
  held: Held,
  claims: RequestClaims,
  changes: Readonly<Record<string, unknown>> = {},
  typ?: string,
): Promise<Answer> {
  return respond(claims, { vp_token: { own_mandate: [await presentMandate(held, claims, changes, typ)] } })
}

export const readAnswer = async ({ page }: Shopper, requestId: string): Promise<WalletAnswer> =>
  dataOf<WalletAnswer>(await page.query('approvals.walletAnswer', { request_id: requestId }))

/** The agent goes on after an approval: token, then settlement. */
export async function pay({ agent }: Shopper, { requestUri, verifier }: Waiting) {
  const { result } = await agent.authorize(requestUri)
  const tokens = must(await agent.redeem(result['code'] ?? '', verifier), 200)
  const settled = await agent.settle<Record<string, string>>(tokens.access_token, tokens.mandate_jwt, randomUUID())
  return { tokens, settled }
}
