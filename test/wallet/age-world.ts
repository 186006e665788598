/** People who prove their age with a wallet app, and an agent of each that buys where buyers must have reached one. */
import { presentSdJwt } from '@/scripts/wallet/sd-jwt'
import { proveAge, readAge, readAgeRequest } from '@/server/surfaces/portal'
import { newOffer, Wallet } from '../credentials/issuance-wallet'
import type { World } from '../credentials/request-world'
import { fetchRequest, type RequestClaims, respond } from '../credentials/wallet'
import { Agent, type Answer, type Key, must, newPrincipal } from '../support/actors'
import type { App } from '../support/app'
import { withPortal } from '../support/wallet-token'

export const PID = 'urn:eudi:pid:1'
export const GIN = { sku: 'harvest-gin', qty: 1, unit_price_minor: 1900, currency: 'EUR' }

export const shopOf = (app: App, id = 'copper-still') => `${app.baseUrl}/sandbox/merchants/${id}`
export const gin = (app: App) => ({ merchant: shopOf(app), amount_minor: 1900, line_items: [GIN] })

/** A person whose agent needs no approval. */
export async function newBuyer(app: App) {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits' })
  return { principalId, email, agent: await Agent.register(app, principalId) }
}

/** Starts a proof in the portal. */
export const start = (app: App, principalId: string, age = 18) => proveAge(withPortal(app, principalId), { age })
export const statusOf = (app: App, principalId: string, id: string) =>
  readAgeRequest(withPortal(app, principalId), { id })
export const proofsOf = async (app: App, principalId: string) => (await readAge(withPortal(app, principalId))).proofs

interface Pid {
  readonly age_equal_or_over?: Readonly<Record<string, unknown>>
  readonly exp?: number
  readonly status?: number
  readonly vct?: string
}

/** A wallet app presents a person identification with these ages and more than it was asked for. */
export async function presentPid(
  { issuer, holder }: World,
  asked: RequestClaims,
  { age_equal_or_over: ages = { 18: true }, vct = PID, ...more }: Pid = {},
): Promise<string> {
  const claims = { age_equal_or_over: ages, family_name: 'Lovelace' }
  const pid = await issuer.issue({ vct, claims, holder, ...more })
  return issuer.present(pid, { holder, aud: asked.client_id, nonce: asked.nonce })
}

/** Answers a request with a person identification. */
export async function answerWithPid(world: World, link: string, pid: Pid = {}): Promise<Answer> {
  const { claims: asked } = await fetchRequest(link)
  return respond(asked, { vp_token: { pid: [await presentPid(world, asked, pid)] } })
}

/** Proves that a person is 18 or older. */
export async function prove(world: World, principalId: string): Promise<void> {
  must(await answerWithPid(world, (await start(world.app, principalId)).link), 200)
}

/** A credential that this server issued, in the wallet app of its holder. */
export async function ownCredential(app: App, subject: Readonly<Record<string, unknown>>) {
  const wallet = await Wallet.open(app)
  const offer = await newOffer(app, { credential_configuration_id: 'service_age_verified_buyer', subject })
  const issued = must(await wallet.redeem(offer.code, offer.c_nonce), 200)
  return { credential: issued.credentials[0]?.credential ?? '', key: wallet.key }
}

const toWalletKey = ({ privateKey, jwk }: Key) => ({ privateKey, publicJwk: jwk })

/** Answers a request with a credential of this server, of which it shows one age. */
export async function answerWithOwn(held: { credential: string; key: Key }, link: string): Promise<Answer> {
  const { claims: asked } = await fetchRequest(link)
  const presentation = await presentSdJwt(held.credential, toWalletKey(held.key), {
    paths: [['age_equal_or_over', '18']],
    audience: asked.client_id,
    nonce: asked.nonce,
    transactionData: [],
  })
  return respond(asked, { vp_token: { age_verified_buyer: [presentation] } })
}

/** Presents a mandate with some of its claims. */
export function presentMandate(
  mandate: string,
  { agent, merchant, nonce, claims }: { agent: Agent; merchant: string; nonce: string; claims: readonly string[] },
): Promise<string> {
  return presentSdJwt(mandate, toWalletKey(agent.dpopKey), {
    paths: claims.map((name) => [name]),
    audience: merchant,
    nonce,
    transactionData: [],
  })
}
