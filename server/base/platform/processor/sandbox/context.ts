import type { Clock, Database, Queryable, Randomness } from '../../../core/platform'
import type { Answer, Params } from './wire'

/** The dependencies and settings of the fake processor. */
export interface FakeParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly secretKey: string
  readonly publishableKey: string
  /** The address to which webhooks are sent as soon as they are due; null leaves them to `deliverDueEvents`. */
  readonly webhookBaseUrl: string | null
  /** The secret that signs the webhooks and with which the receiving endpoint checks them. */
  readonly webhookSecret: string
}

/** The context in which events are written: a request to the API, or an action of the cardholder or bank. */
export interface EventSource {
  readonly tx: Queryable
  readonly clock: Clock
  readonly random: Randomness
  readonly requestId: string | null
  readonly idempotencyKey: string | null
  /** The ids of the written events; `deliverFirst` has those that are delivered before the request is answered. */
  readonly announced: string[]
  readonly deliverFirst: string[]
}

/** One request to the fake, in the transaction that holds all of its effects. */
export interface FakeCall extends EventSource {
  /** The id of the object in the path; empty when it has none. */
  readonly id: string
  readonly params: Params
  /** Whether the secret key was sent. The publishable key gives access only to the object of the client secret. */
  readonly withSecretKey: boolean
}

export type Handler = (call: FakeCall) => Promise<Answer>
