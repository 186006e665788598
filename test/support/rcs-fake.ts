import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { timedSignature } from './timed-signature'

export interface RcsSuggestion {
  readonly reply?: { readonly text: string; readonly postbackData: string }
  readonly action?: { readonly text: string; readonly openUrlAction: { readonly url: string } }
}

/** A message on a phone. */
export interface RcsMessage {
  readonly messageId: string
  readonly phone: string
  readonly text: string
  readonly suggestions: readonly RcsSuggestion[]
}

/** The fault of the next request: a status, a dropped connection after the message was accepted, or no answer. */
export type RcsFault = number | 'drop after accept' | 'hang'

export interface RcsFake {
  readonly env: { readonly RCS_API_URL: string; readonly RCS_API_TOKEN: string; readonly RCS_AGENT_ID: string }
  /** The messages that arrived on phones, each once. */
  readonly messages: readonly RcsMessage[]
  /** The ids of all requests, including refused and repeated ones. */
  readonly requests: readonly string[]
  /** Faults for the coming requests, one each. */
  readonly faults: RcsFault[]
  /** Presses a button of a message: the carrier sends the button's data to the callback, signed. */
  press(message: RcsMessage, button: string, callback: Callback): Promise<Response>
  close(): Promise<void>
}

interface Callback {
  readonly url: string
  readonly secret: string
  readonly now: Date
}

const AGENT_ID = 'countersign-agent'
const TOKEN = 'rcs-token-of-the-tests'

/**
 * Starts a carrier that accepts messages as Google's RCS Business Messaging does, recognises repeated ids, and can
 * fail.
 */
export async function startRcsFake(): Promise<RcsFake> {
  const messages: RcsMessage[] = []
  const requests: string[] = []
  const faults: RcsFault[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { id, phone, problem } = judge(request)
      requests.push(id)
      if (problem !== null) return answer(response, problem)
      const fault = faults.shift()
      if (fault === 'hang') return
      if (typeof fault === 'number') return answer(response, fault)
      const isKnown = messages.some(({ messageId }) => messageId === id)
      if (!isKnown) messages.push(toMessage(body, { messageId: id, phone }))
      if (fault === 'drop after accept') request.socket.destroy()
      else answer(response, isKnown ? 409 : 200)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { RCS_API_URL: `http://127.0.0.1:${port}`, RCS_API_TOKEN: TOKEN, RCS_AGENT_ID: AGENT_ID },
    messages,
    requests,
    faults,
    press: (message, button, callback) => press(message, button, callback),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

function judge(request: IncomingMessage): { id: string; phone: string; problem: number | null } {
  const url = new URL(request.url ?? '/', 'http://carrier')
  const [, phone = ''] = /^\/v1\/phones\/([^/]+)\/agentMessages$/.exec(url.pathname) ?? []
  const id = url.searchParams.get('messageId') ?? ''
  const isAllowed = request.headers.authorization === `Bearer ${TOKEN}`
  const isWellFormed = request.method === 'POST' && phone !== '' && id !== '' && id.length <= 64
  const known = { id, phone: decodeURIComponent(phone) }
  if (!isAllowed) return { ...known, problem: 401 }
  if (url.searchParams.get('agentId') !== AGENT_ID) return { ...known, problem: 403 }
  return { ...known, problem: isWellFormed ? null : 400 }
}

function toMessage(body: string, about: Pick<RcsMessage, 'messageId' | 'phone'>): RcsMessage {
  const { contentMessage } = JSON.parse(body) as {
    contentMessage: { text: string; suggestions?: readonly RcsSuggestion[] }
  }
  return { ...about, text: contentMessage.text, suggestions: contentMessage.suggestions ?? [] }
}

function answer(response: ServerResponse, status: number): void {
  const body = status === 200 ? {} : { error: { code: status, message: 'about +353861234567', status: 'FAILED' } }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function press(message: RcsMessage, button: string, { url, secret, now }: Callback): Promise<Response> {
  const reply = message.suggestions.map((suggestion) => suggestion.reply).find((found) => found?.text === button)
  if (reply === undefined) throw new Error(`The message has no button "${button}".`)
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'rcs-signature': timedSignature(reply.postbackData, { secret, now }),
    },
    body: reply.postbackData,
  })
}
