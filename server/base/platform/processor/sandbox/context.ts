import type { Clock, Database, Queryable, Randomness } from '../../../core/platform'
import type { Answer, Params } from './wire'

/** What the fake is made of. */
export interface FakeParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly secretKey: string
  readonly publishableKey: string
  /** Where webhooks are sent as soon as they are due; null leaves them all to callers of `deliverDueEvents`. */
  readonly webhookBaseUrl: string | null
  /** Signs the webhooks, as the receiving endpoint checks them. */
  readonly webhookSecret: string
}

/** What writes events: a request to the API, or somebody who acts at the bank. */
export interface EventSource {
  readonly tx: Queryable
  readonly clock: Clock
  readonly random: Randomness
  readonly requestId: string | null
  readonly idempotencyKey: string | null
  /** The events that were written, and those among them that are delivered before the request is answered. */
  readonly announced: string[]
  readonly deliverFirst: string[]
}

/** One request to the fake, in the transaction that holds all of its effects. */
export interface FakeCall extends EventSource {
  /** The object that the path names; empty when it names none. */
  readonly id: string
  readonly params: Params
  /** With the publishable key a browser may only touch the one object whose client secret it has. */
  readonly withSecretKey: boolean
}

export type Handler = (call: FakeCall) => Promise<Answer>
