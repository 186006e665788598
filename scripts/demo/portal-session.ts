import * as z from 'zod'
import { CommandError, sendRequest } from '../operator-client'

const refusal = z.object({ error: z.object({ message: z.string() }) })
const answer = z.object({ result: z.object({ data: z.unknown() }) })

/** The demo person's session in the sandbox's portal, opened as by the button "Continue as Ada". */
export class PortalSession {
  readonly #cookies = new Map<string, string>()

  private constructor(private readonly baseUrl: string) {}

  static async open(baseUrl: string): Promise<PortalSession> {
    const session = new PortalSession(baseUrl)
    const { csrfToken } = z
      .object({ csrfToken: z.string() })
      .parse(await (await session.#send('GET', '/api/auth/csrf')).json())
    const signedIn = await session.#send('POST', '/api/auth/callback/demo', { csrfToken })
    if (!signedIn.ok) throw new CommandError('Nobody can sign in as Ada here: this is no sandbox of this machine.')
    return session
  }

  async query(procedure: string): Promise<unknown> {
    return readData(await this.#send('GET', `/api/trpc/${procedure}`))
  }

  /** Calls a mutation. Throws a {@link CommandError} with the portal's message when it refuses. */
  async mutate(procedure: string, input: unknown): Promise<unknown> {
    return readData(await this.#send('POST', `/api/trpc/${procedure}`, input))
  }

  async #send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
    const response = await sendRequest(this.baseUrl + path, {
      method,
      headers: {
        origin: this.baseUrl,
        'sec-fetch-site': 'same-origin',
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

async function readData(response: Response): Promise<unknown> {
  const body: unknown = await response.json()
  const read = answer.safeParse(body)
  if (read.success) return read.data.result.data
  const refused = refusal.safeParse(body)
  throw new CommandError(refused.success ? refused.data.error.message : `The portal answered ${response.status}.`)
}
