import { request as forward, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { type Answering, type Listener, listen } from './listener'

/** What comes back from behind a relay. */
export interface Relayed {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** Stands before a server at an address of its own, and hands everything on as it is unless a test says otherwise. */
export interface Relay extends Listener {
  /** The port of the server behind it. */
  port: number
  /** Answers in place of the server behind it, which may have been asked: null hands the request on. */
  spoil: ((request: IncomingMessage, body: string) => Answering | null) | null
  ask(request: IncomingMessage, body: string): Promise<Relayed>
}

export async function openRelay(): Promise<Relay> {
  const listener = await listen(async (request, response, body) => {
    const spoilt = relay.spoil?.(request, body) ?? null
    if (spoilt !== null) return spoilt(request, response, body)
    const answer = await relay.ask(request, body)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const relay: Relay = Object.assign(listener, {
    port: 0,
    spoil: null,
    ask: (request: IncomingMessage, body: string) => handOn(relay.port, request, body),
  })
  return relay
}

function handOn(port: number, { method, url, headers }: IncomingMessage, body: string): Promise<Relayed> {
  return new Promise((resolve, reject) => {
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const { 'transfer-encoding': _, connection: __, ...rest } = answer.headers
        resolve({ status: answer.statusCode ?? 502, headers: rest, body: Buffer.concat(chunks).toString() })
      })
    })
    onward.on('error', reject)
    onward.end(body)
  })
}
