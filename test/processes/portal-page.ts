import type { PasskeyCreation, PasskeyRequest, StepUpAction, StepUpProof } from '@/server/identity/passkeys/contract'
import { type Answer, exchange, must } from '../support/actors'
import { createAuthenticator, type SoftwareAuthenticator } from '../support/software-authenticator'
import { until } from './cluster'

/** A message in the outbox of the sandbox. */
export interface SentMessage {
  readonly to: string
  readonly subject?: string
  readonly links: readonly string[]
  readonly data?: Readonly<Record<string, string>>
}

const DELIVERED_WITHIN_MS = 10_000

/** The newest message that `isWanted` takes, once it is in the outbox. */
export async function waitForMessage(
  baseUrl: string,
  isWanted: (message: SentMessage) => boolean,
): Promise<SentMessage> {
  const headers = { accept: 'application/json' }
  const read = () => exchange<{ messages: SentMessage[] }>(`${baseUrl}/sandbox/outbox`, { headers })
  const find = ({ json }: Answer<{ messages: SentMessage[] }>) => json.messages.find(isWanted)
  const found = find(await until(read, (answer) => find(answer) !== undefined, DELIVERED_WITHIN_MS))
  if (found === undefined) throw new Error('the message is gone')
  return found
}

/** The token in the newest link of `path` that was mailed to the address. */
export async function mailedToken(baseUrl: string, to: string, path: string): Promise<string> {
  const linkOf = ({ links }: SentMessage) => links.find((link) => link.startsWith(`${baseUrl}${path}#token=`))
  const message = await waitForMessage(baseUrl, (one) => one.to === to && linkOf(one) !== undefined)
  return new URL(linkOf(message) ?? '').hash.replace('#token=', '')
}

export interface Registration {
  readonly challenge_id: string
  readonly options: PasskeyCreation
  /** The recovery code that it was started with, where it was. */
  readonly code?: string
}

interface Question {
  readonly challenge_id: string
  readonly options: PasskeyRequest
}

/** A browser with the portal of a server process open; it keeps cookies. */
export class PortalPage {
  readonly #cookies = new Map<string, string>()
  #authenticator: SoftwareAuthenticator | null = null

  constructor(private readonly baseUrl: string) {}

  get sessionCookie(): string {
    return this.#cookies.get('countersign.session') ?? ''
  }

  async send<T>(path: string, body?: unknown): Promise<Answer<T>> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await exchange<T>(this.baseUrl + path, {
      headers: {
        cookie,
        origin: this.baseUrl,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }

  /** Signs in by a mailed link. Returns its token. */
  async signInByMail(email: string): Promise<string> {
    must(await this.send('/api/auth/sign-in-link', { email }), 202)
    const token = await mailedToken(this.baseUrl, email, '/sign-in/confirm')
    const { csrfToken } = (await this.send<{ csrfToken: string }>('/api/auth/csrf')).json
    must(await this.send('/api/auth/callback/magic-link', { csrfToken, token }), 200)
    return token
  }

  /** Calls a mutation of the portal. Throws when it is refused. */
  async mutate<T = Record<string, string>>(procedure: string, input: unknown): Promise<T> {
    const answer = await this.send<{ result: { data: T } }>(`/api/trpc/${procedure}`, input)
    return must(answer, 200).result.data
  }

  /** Creates a passkey, in an authenticator of its own, in a registration that was started. */
  async createPasskey({ options, ...started }: Registration): Promise<void> {
    const { hostname, origin } = new URL(this.baseUrl)
    this.#authenticator = createAuthenticator({ rpId: hostname, origin })
    const response = this.#authenticator.create(options)
    await this.mutate('security.register', { ...started, name: 'Laptop', response })
  }

  /** Confirms an action with the passkey that was created last. */
  async prove(action: StepUpAction): Promise<StepUpProof> {
    if (this.#authenticator === null) throw new Error('there is no passkey')
    const { challenge_id, options } = await this.mutate<Question>('security.stepUpOptions', action)
    return { challenge_id, response: this.#authenticator.get(options) }
  }
}
