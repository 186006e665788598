import type { Clock, Config, Database, Randomness } from '../../core/platform'
import type { Processor } from '../../core/processor'
import { createAbsentProcessor } from './absent'
import { createSandboxProcessor, loopbackOf } from './sandbox'
import { createStripeProcessor } from './stripe'

interface Parts {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
}

/** Opens the card processor: Stripe when its key is set, else in a sandbox the sandbox's own, else none. */
export function openProcessor({ config, db, clock, random }: Parts): Processor {
  const { stripeSecretKey: secretKey, stripePublishableKey: publishableKey, stripeApiBase: apiBase } = config
  if (secretKey !== null) return createStripeProcessor({ kind: 'stripe', secretKey, publishableKey, apiBase })
  if (!config.sandbox) return createAbsentProcessor()
  return createSandboxProcessor({
    db,
    clock,
    random,
    webhookSecret: config.secrets.processorWebhook,
    loopbackUrl: loopbackOf(config),
  })
}
