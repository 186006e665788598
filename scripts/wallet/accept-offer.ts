import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { parseUrl } from '@/server/base/core/parse-url'
import { CommandError, readJson, sendRequest, UsageError } from '../operator-client'
import type { Holder, WalletKey } from './holder'

const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

interface Offer {
  readonly credential_issuer: string
  readonly credential_configuration_ids: readonly string[]
  readonly grants: { readonly [GRANT]: { readonly 'pre-authorized_code': string; readonly tx_code?: object } }
}

/** The metadata that a wallet needs (OpenID4VCI section 12.2, RFC 8414). */
interface Issuer {
  readonly credential_endpoint: string
  readonly nonce_endpoint: string
  readonly token_endpoint: string
}

/** Fetches the credential of an offer in the standard's order: token, nonce, proof, credential. */
export async function acceptOffer(holder: Holder, link: string, txCode: string | undefined): Promise<string> {
  const offer = await readOffer(link)
  const { 'pre-authorized_code': code, tx_code: wantsTxCode } = offer.grants[GRANT]
  if (wantsTxCode !== undefined && txCode === undefined) throw new UsageError('The offer needs --tx-code.')
  const issuer = await readIssuer(offer.credential_issuer)
  const form = { grant_type: GRANT, 'pre-authorized_code': code, ...(txCode !== undefined && { tx_code: txCode }) }
  const token = await requestToken(holder.key, issuer.token_endpoint, form)
  const { c_nonce: nonce } = (await readJson(await sendRequest(issuer.nonce_endpoint, { method: 'POST' }))) as {
    c_nonce: string
  }
  const body = {
    credential_configuration_id: offer.credential_configuration_ids[0],
    proofs: { jwt: [await signProof(holder.key, offer.credential_issuer, nonce)] },
  }
  const proof = await signDpop(holder.key, { url: issuer.credential_endpoint, accessToken: token })
  const answer = await sendRequest(issuer.credential_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `DPoP ${token}`, dpop: proof },
    body: JSON.stringify(body),
  })
  const { credentials } = (await readJson(answer)) as { credentials: readonly { credential: string }[] }
  const [{ credential } = { credential: '' }] = credentials
  if (credential === '') throw new CommandError('The issuer gave no credential.')
  holder.add(credential)
  return credential
}

async function readOffer(link: string): Promise<Offer> {
  const parameters = parseUrl(link)?.searchParams
  const inline = parameters?.get('credential_offer')
  const address = parameters?.get('credential_offer_uri')
  if (inline) return JSON.parse(inline) as Offer
  if (address) return (await readJson(await sendRequest(address))) as Offer
  throw new UsageError('The link is no credential offer.')
}

async function readIssuer(issuer: string): Promise<Issuer> {
  const documents = ['openid-credential-issuer', 'oauth-authorization-server'].map(async (name) =>
    readJson(await sendRequest(`${issuer}/.well-known/${name}`)),
  )
  return Object.assign({}, ...(await Promise.all(documents))) as Issuer
}

/** Requests a token, and repeats the request with the server's DPoP nonce when it requires one (RFC 9449 section 8). */
async function requestToken(key: WalletKey, url: string, form: Record<string, string>): Promise<string> {
  const send = async (nonce?: string) =>
    sendRequest(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: await signDpop(key, { url, ...(nonce !== undefined && { nonce }) }),
      },
      body: new URLSearchParams(form).toString(),
    })
  const first = await send()
  const nonce = first.headers.get('dpop-nonce')
  const answer = first.ok || nonce === null ? first : await send(nonce)
  return ((await readJson(answer)) as { access_token: string }).access_token
}

function signProof(key: WalletKey, audience: string, nonce: string): Promise<string> {
  return new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'openid4vci-proof+jwt', jwk: key.publicJwk })
    .setAudience(audience)
    .setIssuedAt()
    .sign(key.privateKey)
}

interface DpopTarget {
  readonly url: string
  readonly nonce?: string
  readonly accessToken?: string
}

function signDpop(key: WalletKey, { url, nonce, accessToken }: DpopTarget): Promise<string> {
  const bound = accessToken && { ath: createHash('sha256').update(accessToken).digest('base64url') }
  return new SignJWT({ htm: 'POST', htu: url, ...(nonce !== undefined && { nonce }), ...bound })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: key.publicJwk })
    .setJti(randomUUID())
    .setIssuedAt()
    .sign(key.privateKey)
}
