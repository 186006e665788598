import { Stripe } from 'stripe'
import type { Clock, Config, Database, Platform, Randomness } from '../../../core/platform'
import type { Processor, SetupIntent } from '../../../core/processor'
import { createStripeProcessor } from '../stripe'
import { createControls, type FakeControls } from './controls'
import { createStripeFake } from './fake'

export { DISPUTE_DELAY_SECONDS, LATE_ANSWER_SECONDS } from './charge-intent'
export { sweepReplies } from './idempotency'

/** No keys of an account: they only open the fake in this process. */
const SECRET_KEY = 'sk_sandbox'
const PUBLISHABLE_KEY = 'pk_sandbox'

export interface SandboxParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
  /** Signs the webhooks, as the receiving endpoint checks them. */
  readonly webhookSecret: string
  /** Where this server listens, for webhooks that are sent as soon as they are due; null leaves them all to the job. */
  readonly loopbackUrl: string | null
}

export interface SandboxProcessor extends Processor, Omit<FakeControls, 'enterCard'> {
  readonly kind: 'sandbox'
  /**
   * Plays the cardholder: confirms a setup intent with a test card and sends `setup_intent.succeeded` that many times at
   * once. An intent that was confirmed before stays as it is. Null when there is no such intent.
   */
  enrolTestCard(enrolment: Parameters<FakeControls['enterCard']>[0]): Promise<SetupIntent | null>
}

/** The sandbox's own processor when that is the one in use. */
export function asSandbox(processor: Processor): SandboxProcessor | null {
  return processor.kind === 'sandbox' && 'enrolTestCard' in processor ? (processor as SandboxProcessor) : null
}

/** The job that sends the sandbox's webhooks which no request has sent; does nothing where another processor is in use. */
export async function deliverSandboxEvents({ processor, config }: Platform): Promise<number> {
  return (await asSandbox(processor)?.deliverDueEvents(loopbackOf(config))) ?? 0
}

/** Where this process listens. */
export function loopbackOf({ port }: Config): string {
  return `http://127.0.0.1:${port}`
}

/**
 * A card processor without money: the adapter of the real one, whose requests end in a fake of Stripe's API in this
 * process. The fake keeps its own books in the database, in transactions of its own, as if it were somebody else's.
 */
export function createSandboxProcessor({ loopbackUrl, ...rest }: SandboxParts): SandboxProcessor {
  const parts = { ...rest, webhookBaseUrl: loopbackUrl, secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY }
  const answer = createStripeFake(parts)
  const send: typeof fetch = (input, init) => answer(new Request(input, init))
  const processor = createStripeProcessor({
    kind: 'sandbox',
    secretKey: SECRET_KEY,
    publishableKey: PUBLISHABLE_KEY,
    apiBase: null,
    httpClient: Stripe.createFetchHttpClient(send),
  })
  const { enterCard, ...controls } = createControls(parts)
  return Object.assign(processor, controls, {
    enrolTestCard: async (enrolment: Parameters<FakeControls['enterCard']>[0]) =>
      (await enterCard(enrolment)) ? processor.retrieveSetupIntent(enrolment.setupIntentId) : null,
  })
}
