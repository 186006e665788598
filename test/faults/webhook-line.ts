import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { signWebhook } from '@/server/base/platform/processor/webhook-signature'
import { listen } from '../processes/cluster'
import type { Random } from './random'

/** How the processor's events arrive: late, several times, in another order. */
export interface WebhookWeather {
  readonly duplicate: number
  readonly delay: number
  readonly delayMilliseconds: number
}

interface WebhookLineOptions {
  /** Where the events are wanted. */
  readonly target: () => string
  readonly secret: string
  readonly now: () => Date
  readonly random: Random
  readonly weather: () => WebhookWeather
  readonly count: (kind: 'duplicate' | 'delayed') => void
}

/** One delivery and its answer. */
export interface Delivery {
  readonly eventId: string
  readonly status: number | null
}

export interface WebhookLine {
  /** Where the processor sends its events, as an origin. */
  readonly baseUrl: string
  readonly events: ReadonlyMap<string, string>
  readonly deliveries: readonly Delivery[]
  /** Events that the server has not taken yet. */
  pending(): number
  /** Sends an event again, as it was. */
  replay(eventId: string): Promise<number | null>
  close(): void
}

const RETRY_AFTER_MS = 500
const DELIVERY_TIMEOUT_MS = 10_000

/** Takes the processor's events and carries them to the servers, again and again until they are taken. */
export async function layWebhookLine(options: WebhookLineOptions): Promise<WebhookLine> {
  const { random, weather } = options
  const events = new Map<string, string>()
  const deliveries: Delivery[] = []
  const waiting = new Set<string>()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)

  async function send(eventId: string): Promise<number | null> {
    const body = events.get(eventId) ?? ''
    const status = await post(body).catch(() => null)
    deliveries.push({ eventId, status })
    return status
  }

  async function post(body: string): Promise<number> {
    const answer = await fetch(options.target(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'processor-signature': signWebhook({ body, secret: options.secret, now: options.now() }),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]),
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async function deliver(eventId: string): Promise<void> {
    waiting.add(eventId)
    while (!closing.signal.aborted && !(await isTaken(eventId))) await pause(RETRY_AFTER_MS)
    waiting.delete(eventId)
  }

  async function isTaken(eventId: string): Promise<boolean> {
    const { duplicate, delay: late, delayMilliseconds } = weather()
    if (random.chance(late)) {
      options.count('delayed')
      await pause(random.int(0, delayMilliseconds))
    }
    const copies = random.chance(duplicate) ? random.int(2, 4) : 1
    if (copies > 1) options.count('duplicate')
    const statuses = await Promise.all(Array.from({ length: copies }, () => send(eventId)))
    return statuses.some((status) => status !== null && status < 300)
  }

  const pause = (milliseconds: number) => delay(milliseconds, null, { signal: closing.signal }).catch(() => null)

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { id } = JSON.parse(body) as { id: string }
      if (!events.has(id)) {
        events.set(id, body)
        void deliver(id)
      }
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const baseUrl = `http://127.0.0.1:${await listen(server)}`
  return {
    baseUrl,
    events,
    deliveries,
    pending: () => waiting.size,
    replay: send,
    close: () => {
      closing.abort()
      server.closeAllConnections()
      server.close()
    },
  }
}
