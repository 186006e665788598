/**
 * Purchases from the pushed request to the introspected token, signed as they run, with the time that each request
 * takes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { TokenAnswer } from '../../test/support/actors'
import type { Crowd, Shopper } from './crowd'
import { MERCHANT } from './full-tables'
import { authorizePath, readCode, requireActive } from './line'
import type { Answer, Prepared } from './load'
import { type Parameters, presentationRequest, signedForm } from './signed-form'

export const requestKinds = [
  'par',
  'authorize',
  'token',
  'status list',
  'nonce',
  'verify-mandate',
  'charge',
  'repeated charge',
  'introspect',
  'home page',
] as const
type RequestKind = (typeof requestKinds)[number]

/** The times until the answer in milliseconds, by kind of request. */
export type Times = Readonly<Record<RequestKind, number[]>>

export const newTimes = () => Object.fromEntries(requestKinds.map((kind) => [kind, [] as number[]])) as unknown as Times

const AMOUNT_MINOR = 1
const STATUS_READS = 3
/** The number of purchases after which the home page is read once. */
const HOME_EVERY = 10
const VIRTUAL_AGENTS = 16
/** How long before it is sent a purchase's first request is signed. */
const SIGNED_AHEAD_MS = 100
/** The number of purchases in progress above which the server does not keep up. */
const MOST_AT_ONCE = 1_000
const CAN_PAY = ['verify-mandate', 'charge'] as const

interface Turn {
  /** The position among all purchases. */
  readonly index: number
  /** When it is to be sent, on the clock of performance.now(); at once when left out. */
  readonly at?: number
}

/** A shopper's way through one purchase. */
interface Visit {
  readonly crowd: Crowd
  readonly shopper: Shopper
  readonly times: Times
}

/** Runs one purchase. Throws on an unexpected answer. */
async function buy(crowd: Crowd, times: Times, { index, at }: Turn): Promise<void> {
  const shopper = crowd.shoppers[index % crowd.shoppers.length]
  if (shopper === undefined) throw new Error('no shoppers')
  const visit = { crowd, shopper, times }
  const { form, verifier } = await shopper.agent.purchase({ merchant: MERCHANT, amount_minor: AMOUNT_MINOR })
  const pushed = await mint(visit, 'par', { parameters: form, at })
  const located = await get(visit, 'authorize', { path: authorizePath(shopper.agent, pushed), status: 302 })
  const parameters = {
    grant_type: 'authorization_code',
    code: readCode(located),
    redirect_uri: form.redirect_uri,
    code_verifier: verifier,
  }
  const granted = JSON.parse(await mint(visit, 'token', { parameters })) as TokenAnswer
  for (let read = 0; read < STATUS_READS; read += 1) await get(visit, 'status list', { path: '/oauth/status-list/1' })
  await pay(visit, granted.mandate_jwt, index)
  await introspect(visit, granted.access_token)
  if (index % HOME_EVERY > 0) return
  await get(visit, 'home page', { path: '/', headers: { cookie: crowd.cookie, accept: 'text/html' } })
}

/**
 * Pays with a mandate. Either endpoint verifies and charges it, once: they take turns to be first, and the second
 * returns the same answer.
 */
async function pay(visit: Visit, mandate: string, index: number): Promise<void> {
  const endpoints = index % 2 === 0 ? CAN_PAY : CAN_PAY.toReversed()
  for (const [turn, endpoint] of endpoints.entries()) {
    const kind = turn === 0 ? endpoint : 'repeated charge'
    const { nonce } = JSON.parse(await get(visit, 'nonce', { path: '/merchant_test/nonce' })) as { nonce: string }
    const items = [{ sku: 'book', qty: 1, unit_price_minor: AMOUNT_MINOR }]
    const presented = { mandate, nonce, audience: MERCHANT, items }
    await post(visit, kind, await presentationRequest(visit.shopper.agent, `/merchant_test/${endpoint}`, presented))
  }
}

async function introspect(visit: Visit, token: string): Promise<void> {
  const parameters = { token, token_type_hint: 'access_token' }
  const prepared = await signedForm(visit.shopper.agent, '/oauth/introspect', { parameters, proof: false })
  requireActive(await post(visit, 'introspect', prepared))
}

/**
 * Sends a form request with a proof at its time; a late one is still measured from that time. Where the server requires
 * a newer nonce, it is signed and sent again, within the same measurement.
 */
async function mint(
  { crowd, shopper, times }: Visit,
  kind: 'par' | 'token',
  { parameters, at }: { readonly parameters: Parameters; readonly at?: number | undefined },
): Promise<string> {
  const sign = () => signedForm(shopper.agent, `/oauth/${kind}`, { parameters, proof: true, nonce: shopper.nonce })
  const send = async (prepared: Prepared) => {
    const answer = await crowd.connections.send(prepared)
    shopper.nonce = answer.nonce ?? shopper.nonce
    return answer
  }
  const signed = await sign()
  if (at !== undefined && at > performance.now()) await delay(at - performance.now())
  const since = Math.min(at ?? Infinity, performance.now())
  const refused = await send(signed)
  const answer = refused.text.includes('use_dpop_nonce') ? await send(await sign()) : refused
  times[kind].push(performance.now() - since)
  return outcomeOf(answer, { what: kind, status: kind === 'par' ? 201 : 200 })
}

interface Read {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
}

function get(visit: Visit, kind: RequestKind, { path, headers = {}, status = 200 }: Read): Promise<string> {
  return exchange(visit, kind, { prepared: { method: 'GET', path, headers }, status })
}

function post(visit: Visit, kind: RequestKind, prepared: Prepared): Promise<string> {
  return exchange(visit, kind, { prepared, status: 200 })
}

async function exchange(
  { crowd, times }: Visit,
  kind: RequestKind,
  { prepared, status }: { readonly prepared: Prepared; readonly status: number },
): Promise<string> {
  const began = performance.now()
  const answer = await crowd.connections.send(prepared)
  times[kind].push(performance.now() - began)
  return outcomeOf(answer, { what: `${prepared.method} ${prepared.path}`, status })
}

/** Returns the Location, or else the body. Throws on an unexpected status. */
function outcomeOf(answer: Answer, expected: { readonly what: string; readonly status: number }): string {
  if (answer.status === expected.status) return answer.location ?? answer.text
  throw new Error(`${expected.what}: ${answer.status} ${answer.text}`)
}

interface End {
  readonly purchases?: number
  readonly seconds?: number
}

/** Runs virtual agents that each begin the next purchase when one is done, until the number or the time is reached. */
export async function buyInTurns(crowd: Crowd, { purchases = Infinity, seconds = Infinity }: End) {
  const times = newTimes()
  const began = performance.now()
  let [begun, done] = [0, 0]
  const virtualAgent = async () => {
    while (begun < purchases && performance.now() - began < seconds * 1000) {
      const index = begun
      begun += 1
      await buy(crowd, times, { index })
      done += 1
    }
  }
  await Promise.all(Array.from({ length: VIRTUAL_AGENTS }, virtualAgent))
  return { perSecond: (done / (performance.now() - began)) * 1000, requests: countOf(times) }
}

interface Pace {
  readonly perSecond: number
  readonly purchases: number
}

/** Begins purchases at fixed times. The first failure ends it. */
export async function buyAtPace(crowd: Crowd, times: Times, { perSecond, purchases }: Pace): Promise<void> {
  const failed = new AbortController()
  const began = performance.now() + SIGNED_AHEAD_MS
  const all: Promise<void>[] = []
  let done = 0
  for (let index = 0; index < purchases && !failed.signal.aborted; index += 1) {
    const at = began + (index * 1000) / perSecond
    const early = at - SIGNED_AHEAD_MS - performance.now()
    if (early > 0) await delay(early)
    if (index - done > MOST_AT_ONCE) throw new Error(`more than ${MOST_AT_ONCE} purchases are under way`)
    const purchase = buy(crowd, times, { index, at })
    all.push(
      purchase.then(
        () => void (done += 1),
        (error: unknown) => failed.abort(error),
      ),
    )
  }
  await Promise.all(all)
  failed.signal.throwIfAborted()
}

export const countOf = (times: Times) => requestKinds.reduce((sum, kind) => sum + times[kind].length, 0)
