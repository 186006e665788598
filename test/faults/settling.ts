import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, dpopProof } from '../support/actors'
import { classify, type History, type SettleAnswer } from './history'
import type { Purchase } from './population'
import type { World } from './world'

const GIVE_UP_ON_ANSWER_MS = 20_000
const FIRST_PAUSE_MS = 100
const PAUSE_MAX_MS = 2_000

export interface SettleRequest {
  readonly purchase: Purchase
  readonly key: string
  readonly feeMinor?: number
  readonly account?: string | null
  /** Headers that lead to one server. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends settle requests as agents do, and writes down each with its answer. */
export class Settling {
  readonly #requests = new Map<string, SettleRequest>()

  constructor(
    readonly world: World,
    readonly history: History,
  ) {}

  /** What was asked, to ask it again. */
  requestOf(answer: SettleAnswer): SettleRequest {
    const request = this.#requests.get(nameOf(answer))
    if (request === undefined) throw new Error('unknown settle request')
    return request
  }

  /** One request; the answer may stay away. */
  async once(request: SettleRequest): Promise<SettleAnswer> {
    const { purchase, key } = request
    const startedAt = performance.now()
    const answer = await this.#send(request).catch(() => null)
    const error = answer === null ? null : errorOf(answer.body)
    const known: SettleAnswer = {
      clientId: purchase.agent.clientId,
      key,
      request: `${purchase.mandateId}/${request.feeMinor ?? 0}/${request.account ?? ''}`,
      startedAt,
      endedAt: performance.now(),
      status: answer?.status ?? null,
      body: answer?.body ?? '',
      error,
      isReplay: answer?.isReplay ?? false,
    }
    this.#requests.set(nameOf(known), request)
    this.history.answers.push(known)
    this.world.tally.answer(`${classify(known)}: ${known.status ?? 'no answer'}${error === null ? '' : ` ${error}`}`)
    return known
  }

  /** Repeats the request until the answer is definite, or `tries` times. */
  async persistently(request: SettleRequest, tries: number): Promise<SettleAnswer> {
    let answer = await this.once(request)
    for (let tried = 1; tried < tries && classify(answer) !== 'definitive'; tried += 1) {
      await delay(Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** tried))
      answer = await this.once(request)
    }
    return answer
  }

  /** Repeats something that may be repeated until it is answered with 200, a few times at most. */
  async persistentlyDone<T>(ask: () => Promise<Answer<T> | null>, tries = 8): Promise<Answer<T> | null> {
    let answer = await ask()
    for (let tried = 1; tried < tries && answer?.status !== 200; tried += 1) {
      await delay(Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** tried))
      answer = await ask()
    }
    return answer
  }

  async #send({ purchase, key, feeMinor, account, headers }: SettleRequest) {
    const url = `${this.world.baseUrl}/settlement/settle`
    const { agent } = purchase
    const token = this.world.population.accessToken(purchase)
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: `DPoP ${token}`,
        dpop: await dpopProof(this.world, agent.dpopKey, { method: 'POST', url, accessToken: token }),
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({
        mandate: purchase.mandate,
        idempotency_key: key,
        ...(feeMinor === undefined ? {} : { application_fee_minor: feeMinor }),
        ...(account === undefined ? {} : { connected_account_id: account }),
      }),
      signal: AbortSignal.timeout(GIVE_UP_ON_ANSWER_MS),
    })
    const body = await response.text()
    return { status: response.status, body, isReplay: response.headers.get('idempotent-replayed') === 'true' }
  }
}

const nameOf = ({ clientId, key, request }: SettleAnswer) => `${clientId} ${key} ${request}`

function errorOf(body: string): string | null {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return null
    return typeof parsed.error === 'string' ? parsed.error : null
  } catch {
    return null
  }
}
