/** A wallet and its issuer's backend that speak OpenID4VCI with jose alone, independent of the service's own code. */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import {
  type Answer,
  clientAssertion,
  dpopProof,
  exchange,
  type Key,
  must,
  newKey,
  type Target,
} from '../support/actors'

export const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export interface Offer {
  readonly credential_offer: {
    readonly credential_issuer: string
    readonly credential_configuration_ids: readonly string[]
    readonly grants: { readonly [GRANT]: { readonly 'pre-authorized_code': string; readonly tx_code?: unknown } }
  }
  readonly c_nonce: string
  readonly credential_offer_uri: string
  readonly deep_link: string
  readonly qr_payload: string
  readonly expires_in: number
  readonly tx_code?: string
}

export type Issued = Record<string, unknown> & { readonly credentials: { readonly credential: string }[] }

export const AGES = {
  credential_configuration_id: 'service_age_verified_buyer',
  subject: { age_equal_or_over: { 18: true, 21: false }, country: 'DE' },
}

export function post<T = Record<string, unknown>>(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return exchange<T>(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
}

export async function asClient(app: Target, client: { clientId: string; key: Key }) {
  return { 'x-client-id': client.clientId, 'x-client-assertion': await clientAssertion(app, client) }
}

export function requestOffer(app: Target, body: unknown, headers: Record<string, string> = {}): Promise<Answer<Offer>> {
  return post<Offer>(`${app.baseUrl}/oid4vci/credential-offer`, body, headers)
}

export async function newOffer(app: Target, body: unknown = AGES): Promise<Offer & { readonly code: string }> {
  const offer = must(await requestOffer(app, body, { authorization: `Bearer ${app.operatorToken}` }), 200)
  return { ...offer, code: codeOf(offer) }
}

export const codeOf = (offer: Pick<Offer, 'credential_offer'>) =>
  offer.credential_offer.grants[GRANT]['pre-authorized_code']

export async function freshNonce(app: Target): Promise<string> {
  const answer = await exchange<{ c_nonce: string }>(`${app.baseUrl}/oid4vci/nonce`, { method: 'POST' })
  return must(answer, 200).c_nonce
}

interface ProofParts {
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly key?: Key
}

export class Wallet {
  dpopNonce: string | undefined
  constructor(
    readonly app: Target,
    readonly key: Key,
    readonly dpopKey: Key,
  ) {}

  static async open(app: Target): Promise<Wallet> {
    return new Wallet(app, await newKey(), await newKey())
  }

  now(): number {
    return Math.floor((this.app.clock?.now() ?? new Date()).getTime() / 1000)
  }

  /** The JWT of a key proof (appendix F.1); members that are set to undefined are left out. */
  async proof(nonce: string, { claims = {}, header = {}, key = this.key }: ProofParts = {}): Promise<string> {
    const content = { aud: this.app.baseUrl, iat: this.now(), nonce, ...claims }
    return new SignJWT(content)
      .setProtectedHeader({ alg: key.alg, typ: 'openid4vci-proof+jwt', jwk: key.jwk, ...header } as never)
      .sign(key.privateKey)
  }

  /** The request of the interface's path; `more` replaces members. */
  async redeem(code: string, nonce: string, more: Record<string, unknown> = {}): Promise<Answer<Issued>> {
    const proof = { proof_type: 'jwt', jwt: await this.proof(nonce) }
    return this.request({ 'pre-authorized_code': code, proof, ...more })
  }

  request(body: unknown, headers: Record<string, string> = {}): Promise<Answer<Issued>> {
    return post<Issued>(`${this.app.baseUrl}/oid4vci/credential`, body, headers)
  }

  /** The token request (section 6.1); sent again when only a fresh DPoP nonce was missing. */
  async token(code: string, more: Record<string, string> = {}): Promise<Answer<Record<string, string>>> {
    const form = { grant_type: GRANT, 'pre-authorized_code': code, ...more }
    const answer = await this.sendToken(form)
    this.dpopNonce = answer.headers.get('dpop-nonce') ?? undefined
    return answer.json['error'] === 'use_dpop_nonce' ? this.sendToken(form) : answer
  }

  async sendToken(
    form: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<Answer<Record<string, string>>> {
    const url = `${this.app.baseUrl}/oauth/token`
    const dpop = await dpopProof(this.app, this.dpopKey, { method: 'POST', url, nonce: this.dpopNonce })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', dpop, ...more }
    return exchange(url, { method: 'POST', headers, body: new URLSearchParams(form) })
  }

  async withToken(accessToken: string): Promise<Record<string, string>> {
    const url = `${this.app.baseUrl}/oid4vci/credential`
    const dpop = await dpopProof(this.app, this.dpopKey, {
      method: 'POST',
      url,
      accessToken,
      claims: { jti: randomUUID() },
    })
    return { authorization: `DPoP ${accessToken}`, dpop }
  }

  /** The credential request of the standard path; `more` replaces members. */
  async fetch(accessToken: string, id: string, more: Record<string, unknown> = {}): Promise<Answer<Issued>> {
    const proofs = { jwt: [await this.proof(await freshNonce(this.app))] }
    const body = { credential_configuration_id: id, proofs, ...more }
    return this.request(body, await this.withToken(accessToken))
  }
}

/** The first credential of an answer, decoded: payload and disclosures, not verified. */
export function decodeCredential(text: string) {
  const [jwt = '', ...disclosures] = text.replace(/~$/, '').split('~')
  const part = (index: number) =>
    JSON.parse(Buffer.from(jwt.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>
  const disclosed = disclosures.map(
    (one) => JSON.parse(Buffer.from(one, 'base64url').toString()) as [string, string, unknown],
  )
  return {
    header: part(0),
    payload: part(1),
    disclosures,
    disclosed: Object.fromEntries(disclosed.map(([, n, v]) => [n, v])),
  }
}

export const credentialOf = (answer: Answer<Issued>) => answer.json.credentials[0]?.credential ?? ''

/** Status and code of a refusal. */
export const errorOf = ({ status, json }: { status: number; json: object }) => [
  status,
  (json as { error?: unknown }).error,
]

/** The id of a credential that a wallet has just fetched. */
export async function newCredential(app: Target, about: { readonly principal_id?: string } = {}): Promise<string> {
  const offer = await newOffer(app, { ...AGES, subject: { ...AGES.subject, ...about } })
  const wallet = await Wallet.open(app)
  return String(decodeCredential(credentialOf(await wallet.redeem(offer.code, offer.c_nonce))).payload['jti'])
}
