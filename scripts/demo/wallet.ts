import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { type OperatorClient, readJson, sendRequest } from '../operator-client'

const SCOPE = 'wallet:read wallet:write audit:read'
/** The remaining time in milliseconds below which a session is renewed. */
const RENEW_MS = 60_000

interface Session {
  readonly token: string
  readonly endsAt: number
}

/** The members of a waiting approval that the demo reads. */
export interface PendingRequest {
  readonly authorization_id: string
  readonly agent: { readonly client_id: string }
  readonly amount_minor?: number
  readonly currency?: string
  readonly merchant_audience?: string
  readonly limit_bump_id?: string
  readonly scope?: string
}

/** The demo person's wallet: a session that the sandbox's operator opens, with DPoP-bound tokens like any wallet's. */
export class Wallet {
  #session: Session | undefined

  private constructor(
    private readonly operator: OperatorClient,
    private readonly principalId: string,
    private readonly key: { readonly privateKey: CryptoKey; readonly jwk: JWK },
  ) {}

  static async open(operator: OperatorClient, principalId: string): Promise<Wallet> {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    return new Wallet(operator, principalId, { privateKey, jwk: await exportJWK(publicKey) })
  }

  async get<Answer>(path: string): Promise<Answer> {
    return (await this.#request('GET', path)) as Answer
  }

  /** Returns the waiting approval of one agent; null when there is none. */
  async findPending(clientId: string): Promise<PendingRequest | null> {
    const { pending } = await this.get<{ pending: readonly PendingRequest[] }>('/oauth/consent/scan/pending')
    return pending.find(({ agent }) => agent.client_id === clientId) ?? null
  }

  async decide(authorizationId: string, decision: 'approve' | 'decline'): Promise<void> {
    await this.#request('POST', '/oauth/consent/scan', { authorization_id: authorizationId, decision })
  }

  async #request(method: string, path: string, body?: unknown): Promise<unknown> {
    const { token } = await this.#renewed()
    const url = this.operator.baseUrl + path
    const response = await sendRequest(url, {
      method,
      headers: {
        authorization: `DPoP ${token}`,
        dpop: await this.#proof({ method, url, token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return readJson(response)
  }

  async #renewed(): Promise<Session> {
    if (this.#session !== undefined && this.#session.endsAt - Date.now() > RENEW_MS) return this.#session
    const body = { principal_id: this.principalId, scope: SCOPE, dpop_jwk: this.key.jwk }
    const opened = await this.operator.request('POST', '/sandbox/wallet-sessions', body)
    const { access_token: token, expires_in: seconds } = opened as { access_token: string; expires_in: number }
    this.#session = { token, endsAt: Date.now() + seconds * 1000 }
    return this.#session
  }

  /** @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-4.2} */
  #proof({ method, url, token }: { method: string; url: string; token: string }): Promise<string> {
    const { origin, pathname } = new URL(url)
    const ath = createHash('sha256').update(token).digest('base64url')
    return new SignJWT({ htm: method, htu: origin + pathname, ath, jti: randomUUID() })
      .setIssuedAt()
      .setProtectedHeader({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: this.key.jwk })
      .sign(this.key.privateKey)
  }
}
