import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { CLIENT_ASSERTION_TYPE, createClientAssertion } from '../crypto/client-assertion.js'
import { createDpopProof } from '../crypto/dpop.js'
import type { SigningKey } from '../crypto/keys.js'
import { CountersignError } from '../errors.js'
import type { OutboundReply, OutboundRequest, SendRequest } from '../http/outbound.js'
import { describeRefusal, expectReply } from '../http/refusals.js'
import { JWKS_CACHE_MS } from '../limits.js'
import { metadataUrl } from './issuer.js'
import { jwks, serverMetadata } from './wire.js'

/** A request that proves possession of the DPoP key. Its body is built again for each attempt. */
export interface ProvenRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly accessToken?: string
  readonly body?: () => Promise<{ readonly type: string; readonly text: string }>
}

/** The issuer, keys and connection of a session. */
export interface SessionOptions {
  readonly issuer: string
  readonly dpopKey: SigningKey
  readonly assertionKey: SigningKey
  readonly send: SendRequest
}

/** The connection to one authorization server, with proofs, nonces, client assertions and its verification keys. */
export class Session {
  readonly issuer: string
  readonly dpopKey: SigningKey
  readonly assertionKey: SigningKey
  readonly #send: SendRequest
  /** The latest nonce. One is enough: a session never leaves its origin. */
  #nonce: string | undefined
  #isKnown = false
  #keys: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly readAt: number } | undefined

  constructor(options: SessionOptions) {
    this.issuer = options.issuer
    this.dpopKey = options.dpopKey
    this.assertionKey = options.assertionKey
    this.#send = options.send
  }

  /** Sends a request without a proof to a path below the issuer. */
  async send(request: Omit<OutboundRequest, 'url'> & { readonly path: string }): Promise<OutboundReply> {
    const { path, ...rest } = request
    const reply = await this.#send({ ...rest, url: this.issuer + path })
    const nonce = reply.headers['dpop-nonce']
    if (typeof nonce === 'string' && nonce !== '') this.#nonce = nonce
    return reply
  }

  /**
   * Sends a request with a proof, and once more with a fresh one when the server names a nonce.
   * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-8}
   */
  async prove(request: ProvenRequest): Promise<OutboundReply> {
    const first = await this.#proveOnce(request)
    return wantsNonce(first) && this.#nonce !== undefined ? this.#proveOnce(request) : first
  }

  /** Returns the members that authenticate a form, signed again for each use. */
  async clientAuthentication(clientId: string, ttlSeconds?: number): Promise<Record<string, string>> {
    return {
      client_id: clientId,
      client_assertion_type: CLIENT_ASSERTION_TYPE,
      client_assertion: await createClientAssertion(this.assertionKey, { clientId, issuer: this.issuer, ttlSeconds }),
    }
  }

  /**
   * Checks once that the server's metadata contains the issuer that was configured.
   * @see {@link https://www.rfc-editor.org/rfc/rfc8414#section-3.3}
   */
  async discover(signal?: AbortSignal): Promise<void> {
    if (this.#isKnown) return
    const reply = await this.#send({ method: 'GET', url: metadataUrl(this.issuer), signal })
    const { issuer } = expectReply(reply, { step: 'discovery', schema: serverMetadata })
    if (issuer !== this.issuer) throw new CountersignError('the authorization server has another issuer than its URL')
    this.#isKnown = true
  }

  /**
   * Returns a function that finds the verification key of a JWT; for an unknown key the key set is loaded once more.
   */
  verificationKeys(signal?: AbortSignal): JWTVerifyGetKey {
    return async (header, token) => {
      const isFresh = this.#keys !== undefined && Date.now() - this.#keys.readAt < JWKS_CACHE_MS
      try {
        return await (await this.#readKeys(isFresh, signal))(header, token)
      } catch (error) {
        if (!isFresh || !(error instanceof errors.JWKSNoMatchingKey)) throw error
        return (await this.#readKeys(false, signal))(header, token)
      }
    }
  }

  async #readKeys(mayReuse: boolean, signal?: AbortSignal): Promise<ReturnType<typeof createLocalJWKSet>> {
    if (mayReuse && this.#keys !== undefined) return this.#keys.find
    const reply = await this.send({ method: 'GET', path: '/oauth/jwks.json', signal })
    const set = expectReply(reply, { step: 'jwks', schema: jwks })
    const find = createLocalJWKSet(set)
    this.#keys = { find, readAt: Date.now() }
    return find
  }

  async #proveOnce({ accessToken, body: makeBody, headers, ...request }: ProvenRequest): Promise<OutboundReply> {
    const method = request.method ?? 'POST'
    const body = await makeBody?.()
    const target = { method, url: this.issuer + request.path, nonce: this.#nonce, accessToken }
    return this.send({
      ...request,
      method,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': body.type }),
        dpop: await createDpopProof(this.dpopKey, target),
        ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }),
      },
      ...(body !== undefined && { body: body.text }),
    })
  }
}

/** Returns whether the response asks for the request again with a nonce. */
export function wantsNonce(reply: OutboundReply): boolean {
  if (reply.status === 400) return describeRefusal(reply, false).code === 'use_dpop_nonce'
  const challenge = reply.headers['www-authenticate'] ?? ''
  return reply.status === 401 && /\bDPoP\b/i.test(challenge) && /error="?use_dpop_nonce"?/.test(challenge)
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Returns a form body from its stored text. */
export const madeForm = (text: string): { type: string; text: string } => ({ type: FORM_TYPE, text })

/** Returns a form body with the members that are not undefined. */
export function formBody(members: readonly (readonly [string, string | undefined])[]): { type: string; text: string } {
  const form = new URLSearchParams()
  for (const [name, value] of members) if (value !== undefined) form.append(name, value)
  return madeForm(form.toString())
}

/** Returns a JSON body. */
export const jsonBody = (value: unknown): { type: string; text: string } => ({
  type: 'application/json',
  text: JSON.stringify(value),
})
