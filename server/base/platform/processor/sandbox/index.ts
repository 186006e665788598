import { Stripe } from 'stripe'
import type { Clock, Config, Database, Platform, Randomness } from '../../../core/platform'
import type { Processor, SetupIntent } from '../../../core/processor'
import { createStripeProcessor } from '../stripe'
import { createControls, type FakeControls } from './controls'
import { createStripeFake } from './fake'

export { DISPUTE_DELAY_SECONDS, LATE_ANSWER_SECONDS } from './charge-intent'
export { sweepReplies } from './idempotency'

/** Not the key of a Stripe account: it is valid only for the fake in this process. */
const SECRET_KEY = 'sk_sandbox'
const PUBLISHABLE_KEY = 'pk_sandbox'

export interface SandboxParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
  /** The secret that signs the webhooks and with which the receiving endpoint checks them. */
  readonly webhookSecret: string
  /** The address of this server, to which webhooks are sent as soon as they are due; null leaves them to the job. */
  readonly loopbackUrl: string | null
}

export interface SandboxProcessor extends Processor, Omit<FakeControls, 'enterCard'> {
  readonly kind: 'sandbox'
  /**
   * Confirms a setup intent with a test card, as the cardholder would, and sends `setup_intent.succeeded` `deliveries`
   * times at once. An intent that was confirmed before does not change. Returns null when there is no such intent.
   */
  enrolTestCard(enrolment: Parameters<FakeControls['enterCard']>[0]): Promise<SetupIntent | null>
}

/** Returns the sandbox's own processor; null when another one is in use. */
export function asSandbox(processor: Processor): SandboxProcessor | null {
  return processor.kind === 'sandbox' && 'enrolTestCard' in processor ? (processor as SandboxProcessor) : null
}

/** Sends the sandbox's webhooks that no request has sent; does nothing when another processor is in use. */
export async function deliverSandboxEvents({ processor, config }: Platform): Promise<number> {
  return (await asSandbox(processor)?.deliverDueEvents(loopbackOf(config))) ?? 0
}

/** Returns the loopback address on which this process listens. */
export function loopbackOf({ port }: Config): string {
  return `http://127.0.0.1:${port}`
}

/**
 * Creates a card processor without money: Stripe's adapter, connected to a fake of Stripe's API in this process. The
 * fake has its own tables and transactions, like a system of another party.
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
