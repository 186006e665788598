import type { CountersignClient } from '../client/index.js'
import { Cancelled, isUndecided, Refusal } from '../errors.js'
import { POLL_FIRST_MS, POLL_LAST_MS } from '../limits.js'
import { pause } from '../pause.js'
import { type Approval, remainingTime } from './approval.js'
import type { Host, UrlAnswer } from './host.js'
import { reportProgress, type Waiting } from './progress.js'

/** A request that waits for a decision. */
export interface ConsentWait {
  readonly client: CountersignClient
  readonly host: Host
  readonly requestUri: string
  /** The line that asks the person to decide. */
  readonly question: string
  readonly approval: Pick<Approval, 'url' | 'expiresAt'>
  /** Whether a person must decide; false when the server has said that none is needed. */
  readonly needsPerson: boolean
  /** Milliseconds since the epoch. */
  readonly until: number
}

/**
 * How the wait ended: with the server's status, `refused` when the person declined in the host, `dismissed` when the
 * person closed the question, `undecided` when the time was up.
 */
export type ConsentOutcome = 'approved' | 'declined' | 'gone' | 'refused' | 'dismissed' | 'undecided'

/** Reads the decision; while there is none, asks the person in the host and polls the server at the same time. */
export async function awaitConsent(wait: ConsentWait): Promise<ConsentOutcome> {
  const first = await readOnce(wait)
  if (first !== 'pending') return first
  const [ended, decided] = [new AbortController(), new AbortController()]
  const signal = AbortSignal.any([wait.host.signal, ended.signal])
  const answer = askInHost(wait, { signal, decided: decided.signal })
  const stopProgress = reportProgress(wait.host, describeWait(wait))
  try {
    const outcome = await poll(wait, { signal, answer })
    if (outcome === 'approved' || outcome === 'declined') decided.abort()
    return outcome
  } finally {
    stopProgress()
    ended.abort()
  }
}

type Reading = 'approved' | 'declined' | 'gone' | 'pending'

async function readOnce({ client, host, requestUri, needsPerson }: ConsentWait): Promise<Reading> {
  try {
    return await client.status(requestUri, host.signal)
  } catch (error) {
    if (error instanceof Cancelled || !isUndecided(error)) throw error
    // The status endpoint can be switched off or fail. A request that needs no person can be redeemed without it.
    return error instanceof Refusal && error.status >= 500 && !needsPerson ? 'approved' : 'pending'
  }
}

interface Polling {
  readonly signal: AbortSignal
  readonly answer: Promise<UrlAnswer>
}

async function poll(wait: ConsentWait, { signal, answer }: Polling): Promise<ConsentOutcome> {
  const never = new Promise<never>(() => undefined)
  const stopped = answer.then((action): ConsentOutcome | Promise<never> => {
    if (action === 'decline') return 'refused'
    return action === 'cancel' ? 'dismissed' : never
  })
  let interval = POLL_FIRST_MS
  while (Date.now() < wait.until) {
    const jittered = interval * (0.8 + Math.random() * 0.4)
    const stop = await Promise.race([pause(Math.min(jittered, wait.until - Date.now()), signal), stopped])
    const reading = await readOnce(wait)
    // A decision made on the approval page counts more than a question closed in the host.
    if (reading !== 'pending') return stop === 'refused' ? 'refused' : reading
    if (stop !== undefined) return stop
    interval = Math.min(interval * 2, POLL_LAST_MS)
  }
  return 'undecided'
}

/** Opens the approval page through the host, if it can. If the host fails, the person can still open it otherwise. */
async function askInHost(
  { host, approval, question }: ConsentWait,
  { signal, decided }: { readonly signal: AbortSignal; readonly decided: AbortSignal },
): Promise<UrlAnswer> {
  if (host.askUrl === undefined) return 'unavailable'
  try {
    return await host.askUrl({ message: question, url: approval.url, decided }, signal)
  } catch {
    return 'unavailable'
  }
}

function describeWait({ approval, question, until }: ConsentWait): Waiting {
  const left = () => remainingTime(approval.expiresAt - Date.now())
  return {
    until,
    first: question,
    later: () => `Waiting for approval — ${left()} left (${approval.url})`,
  }
}
