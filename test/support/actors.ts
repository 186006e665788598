import { KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

/** The address and operator token of a running service, in this process or another. */
export interface Target {
  readonly baseUrl: string
  readonly operatorToken: string
  readonly clock?: { now(): Date }
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
export interface Key extends KeyPair {
  readonly jwk: JWK
  readonly jkt: string
  readonly alg: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256'
}

export async function newKey(alg: Key['alg'] = 'EdDSA'): Promise<Key> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  return { ...pair, jwk, jkt: await calculateJwkThumbprint(jwk), alg }
}

export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: T
}

/** Makes one HTTP exchange; redirects are returned, not followed. The body is read once, and parsed when it is JSON. */
export async function exchange<T = Record<string, unknown>>(url: string, init: RequestInit = {}): Promise<Answer<T>> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = text !== '' && (response.headers.get('content-type') ?? '').includes('json')
  return { status: response.status, headers: response.headers, text, json: (isJson ? JSON.parse(text) : {}) as T }
}

/** Returns how many answers have each status. */
export function countStatuses(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const seconds = (target: Target) => Math.floor((target.clock?.now() ?? new Date()).getTime() / 1000)
const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url')

export interface ProofOptions {
  readonly method: string
  readonly url: string
  readonly nonce?: string | undefined
  readonly accessToken?: string
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
}

/** Returns a DPoP proof (RFC 9449 section 4.2); `claims` and `header` replace members. */
export async function dpopProof(target: Target, key: Key, options: ProofOptions): Promise<string> {
  const url = new URL(options.url)
  const claims = {
    htm: options.method,
    htu: url.origin + url.pathname,
    iat: seconds(target),
    jti: randomUUID(),
    ...(options.nonce === undefined ? {} : { nonce: options.nonce }),
    ...(options.accessToken === undefined ? {} : { ath: await sha256(options.accessToken) }),
    ...options.claims,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk: key.jwk, ...options.header } as never)
    .sign(key.privateKey)
}

/** Returns a private_key_jwt assertion (RFC 7523). */
export async function clientAssertion(
  target: Target,
  client: { clientId: string; key: Key },
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = seconds(target)
  const { clientId: id, key } = client
  return new SignJWT({ iss: id, sub: id, aud: target.baseUrl, iat: now, exp: now + 60, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: key.alg, ...header })
    .sign(key.privateKey)
}

/** Returns a compact JWS joined by hand, for headers, payloads and signatures that jose refuses to create. */
export function handmadeJws(header: unknown, payload: unknown, signer: Key | ((input: Buffer) => Buffer)): string {
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const input = Buffer.from(`${part(header)}.${part(payload)}`)
  const signature = typeof signer === 'function' ? signer(input) : signBytes(input, signer)
  return `${input.toString()}.${signature.toString('base64url')}`
}

function signBytes(input: Buffer, { alg, privateKey }: Key): Buffer {
  const hash = alg === 'ES256' || alg === 'RS256' ? 'sha256' : null
  return sign(hash, input, { key: KeyObject.from(privateKey), dsaEncoding: 'ieee-p1363' })
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Form = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns a form with the caller's authentication; `form` may replace or drop any member. */
export async function clientForm(target: Target, client: { clientId: string; key: Key }, form: Form): Promise<string> {
  const all = {
    client_id: client.clientId,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: form['client_assertion'] ?? (await clientAssertion(target, client)),
    ...form,
  }
  const pairs = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, one as string]),
  )
  return new URLSearchParams(pairs).toString()
}

/** Calls an endpoint that takes a client assertion and no proof: introspection or revocation. */
export async function askAboutToken(
  target: Target,
  endpoint: 'introspect' | 'revoke',
  caller: { clientId: string; key: Key },
  form: Form,
): Promise<Answer> {
  return exchange(`${target.baseUrl}/oauth/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: await clientForm(target, caller, form),
  })
}

/** Calls the operator's HTTP API with its bearer token. */
export async function operate<T = Record<string, string>>(
  target: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> {
  return exchange<T>(`${target.baseUrl}/operator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${target.operatorToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export function must<T>(answer: Answer<T>, status: number): T {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
  return answer.json
}

export interface PrincipalOptions {
  readonly approval_rule?: 'every_purchase' | 'new_merchants' | 'above_limits'
  readonly limits?: Record<string, unknown>
  readonly magic_link_gate?: boolean
  readonly card?: string
  readonly wallet_client_id?: string
  /** A phone number that was confirmed two days ago and gets every message. */
  readonly rcs_phone_e164?: string
}

/** Creates a person who is ready to pay. */
export async function newPrincipal(target: Target, options: PrincipalOptions = {}) {
  const created = must(await operate(target, 'POST', '/sandbox/principals', options), 201)
  return { principalId: created['principal_id'] ?? '', email: created['email'] ?? '' }
}

/** Creates a wallet client, which is a tenant, with its key. */
export async function newWalletClient(target: Target, scope?: string) {
  const key = await newKey()
  const body = { name: 'Test wallet', jwks: { keys: [key.jwk] }, ...(scope === undefined ? {} : { scope }) }
  const created = must(await operate(target, 'POST', '/wallet-clients', body), 201)
  return { clientId: created['client_id'] ?? '', key }
}

export async function newSetupToken(target: Target, principalId: string, scope?: string): Promise<string> {
  const body = { principal_id: principalId, ...(scope === undefined ? {} : { scope }) }
  const answer = await operate(target, 'POST', '/sandbox/setup-tokens', body)
  if (answer.status !== 201 && answer.status !== 200) throw new Error(answer.text)
  return answer.json['setup_token'] ?? ''
}

/** Returns the status of a mandate in the published status list: 0 is valid, 1 is revoked. */
export async function statusOfMandate(mandate: string): Promise<number> {
  const claims = decodeJwt<{ status: { status_list: { idx: number; uri: string } } }>(mandate.split('~')[0] ?? '')
  const { idx, uri } = claims.status.status_list
  const published = await exchange(uri, { headers: { accept: 'application/statuslist+jwt' } })
  const list = decodeJwt<{ status_list: { lst: string } }>(published.text).status_list
  const bytes = inflateSync(Buffer.from(list.lst, 'base64url'))
  return ((bytes[Math.floor(idx / 8)] ?? 0) >> (idx % 8)) & 1
}

export const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
export const ALL_SCOPES = 'openid oid4ac:payment payment:execute wallet:read wallet:write audit:read privacy:dsar'

/** A registered agent that uses only jose, independent of the service's own code. */
export class Agent {
  private nonce: string | undefined
  constructor(
    readonly target: Target,
    readonly clientId: string,
    readonly key: Key,
    readonly dpopKey: Key,
    readonly principalId: string,
  ) {}

  static async register(target: Target, principalId: string, metadata: Record<string, unknown> = {}): Promise<Agent> {
    const [key, dpopKey] = await Promise.all([newKey(), newKey()])
    const answer = await exchange<Record<string, string>>(`${target.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [REDIRECT_URI],
        jwks: { keys: [key.jwk] },
        token_endpoint_auth_method: 'private_key_jwt',
        client_name: 'Test agent',
        scope: ALL_SCOPES,
        software_statement: await newSetupToken(target, principalId),
        ...metadata,
      }),
    })
    return new Agent(target, must(answer, 201)['client_id'] ?? '', key, dpopKey, principalId)
  }

  assertion(claims: Record<string, unknown> = {}): Promise<string> {
    return clientAssertion(this.target, this, claims)
  }

  /** Returns the newest nonce of the server; without one, a first request is refused to get it. */
  async freshNonce(): Promise<string> {
    if (this.nonce !== undefined) return this.nonce
    const url = `${this.target.baseUrl}/oauth/par`
    const answer = await exchange(url, {
      method: 'POST',
      headers: { dpop: await this.proof('POST', url), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'x=1',
    })
    this.nonce = answer.headers.get('dpop-nonce') ?? undefined
    return this.nonce ?? ''
  }

  proof(method: string, url: string, options: Partial<ProofOptions> = {}): Promise<string> {
    return dpopProof(this.target, this.dpopKey, { method, url, nonce: this.nonce, ...options })
  }

  forgetNonce(): void {
    this.nonce = undefined
  }

  /**
   * Sends a form request to an endpoint that issues tokens, with client assertion and proof; `form` and `headers` may
   * replace anything.
   */
  async mint<T = Record<string, unknown>>(
    path: string,
    form: Record<string, string | readonly string[] | undefined>,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const url = this.target.baseUrl + path
    await this.freshNonce()
    const answer = await exchange<T>(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        dpop: headers['dpop'] ?? (await this.proof('POST', url)),
        ...headers,
      },
      body: await clientForm(this.target, this, form),
    })
    this.nonce = answer.headers.get('dpop-nonce') ?? this.nonce
    return answer
  }

  async purchase(options: Partial<Purchase> = {}) {
    const merchant = options.merchant ?? `${this.target.baseUrl}/sandbox/merchants/tallow-books`
    const amount = options.amount_minor ?? 1200
    const verifier = randomBytes(32).toString('base64url')
    const details = {
      type: 'oid4ac_mandate',
      merchant,
      amount_minor: amount,
      currency: options.currency ?? 'EUR',
      line_items: options.line_items ?? [{ sku: 'book', qty: 1, unit_price_minor: amount }],
      ...(options.offer_id === undefined ? {} : { offer_id: options.offer_id }),
      ...(options.offer_digest === undefined ? {} : { offer_digest: options.offer_digest }),
    }
    const form = {
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid oid4ac:payment payment:execute',
      resource: [merchant, this.target.baseUrl],
      authorization_details: JSON.stringify([details]),
      code_challenge: await sha256(verifier),
      code_challenge_method: 'S256',
      state: 'state-1',
    }
    return { form, verifier, merchant, amount }
  }

  async walletAccess(scope: string) {
    const actions = { 'wallet:read': 'read', 'wallet:write': 'write', 'audit:read': 'audit', 'privacy:dsar': 'dsar' }
    const verifier = randomBytes(32).toString('base64url')
    const wanted = scope.split(' ').map((name) => actions[name as keyof typeof actions])
    const form = {
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope,
      resource: this.target.baseUrl,
      authorization_details: JSON.stringify([{ type: 'oid4ac_wallet', actions: wanted }]),
      code_challenge: await sha256(verifier),
      code_challenge_method: 'S256',
    }
    return { form, verifier }
  }

  push(form: Record<string, string | readonly string[] | undefined>) {
    return this.mint<{ request_uri: string; expires_in: number }>('/oauth/par', form)
  }

  /** Calls GET /oauth/authorize; returns the parameters of the redirect, or the refusal. */
  async authorize(requestUri: string) {
    const query = new URLSearchParams({ client_id: this.clientId, request_uri: requestUri })
    const answer = await exchange(`${this.target.baseUrl}/oauth/authorize?${query}`)
    const location = answer.headers.get('location')
    return { ...answer, location, result: location === null ? {} : Object.fromEntries(new URL(location).searchParams) }
  }

  redeem(code: string, verifier: string, more: Record<string, string | readonly string[] | undefined> = {}) {
    return this.mint<TokenAnswer>('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...more,
    })
  }

  refresh(refreshToken: string, more: Record<string, string | readonly string[] | undefined> = {}) {
    return this.mint<TokenAnswer>('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...more })
  }

  /** Returns the code of a purchase that needs no approval. */
  async code(options: Partial<Purchase> = {}) {
    const { form, verifier, merchant, amount } = await this.purchase(options)
    const pushed = must(await this.push(form), 201)
    const { result } = await this.authorize(pushed.request_uri)
    if (result['code'] === undefined) throw new Error(`no code: ${JSON.stringify(result)}`)
    return { code: result['code'], verifier, merchant, amount }
  }

  /** Returns the tokens and the mandate of a purchase that needs no approval. */
  async buy(options: Partial<Purchase> = {}): Promise<TokenAnswer & { merchant: string; amount: number }> {
    const { code, verifier, merchant, amount } = await this.code(options)
    return { ...must(await this.redeem(code, verifier), 200), merchant, amount }
  }

  /** Sends a JSON request with the access token and a DPoP proof. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const url = this.target.baseUrl + path
    return exchange<T>(url, {
      method,
      headers: {
        authorization: `DPoP ${token}`,
        dpop: await dpopProof(this.target, this.dpopKey, { method, url, accessToken: token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  settle<T = Record<string, unknown>>(
    token: string,
    mandate: string,
    idempotencyKey: string,
    more: Record<string, unknown> = {},
  ) {
    return this.call<T>('POST', '/settlement/settle', token, { mandate, idempotency_key: idempotencyKey, ...more })
  }
}

export interface Purchase {
  merchant: string
  amount_minor: number
  currency: string
  line_items: readonly Record<string, unknown>[]
  offer_id: string
  offer_digest: string
}

export interface TokenAnswer {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope: string
  mandate_jwt: string
  mandate_id: string
  authorization_details: Record<string, unknown>[]
}

/** A person's own session: a wallet-session token bound to a key, as a wallet app holds it. */
export class Person {
  constructor(
    readonly target: Target,
    readonly principalId: string,
    readonly token: string,
    readonly key: Key,
  ) {}

  static async signIn(
    target: Target,
    principalId: string,
    scope = 'wallet:read wallet:write audit:read',
  ): Promise<Person> {
    const key = await newKey()
    const body = { principal_id: principalId, scope, dpop_jwk: key.jwk }
    const session = await operate(target, 'POST', '/sandbox/wallet-sessions', body)
    if (session.status >= 300) throw new Error(session.text)
    return new Person(target, principalId, session.json['access_token'] ?? '', key)
  }

  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const url = this.target.baseUrl + path
    return exchange<T>(url, {
      method,
      headers: {
        authorization: `DPoP ${this.token}`,
        dpop: await dpopProof(this.target, this.key, { method, url, accessToken: this.token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async pending(): Promise<Record<string, unknown>[]> {
    const answer = await this.call<{ pending: Record<string, unknown>[] }>('GET', '/oauth/consent/scan/pending')
    return must(answer, 200).pending
  }

  decide(authorizationId: unknown, decision: 'approve' | 'decline') {
    return this.call('POST', '/oauth/consent/scan', { authorization_id: authorizationId, decision })
  }
}
