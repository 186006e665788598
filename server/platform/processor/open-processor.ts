import type { Clock, Config, Database, Randomness } from '@/server/core/platform'
import type { Processor } from '@/server/core/processor'
import { createAbsentProcessor } from './absent'
import { createSandboxProcessor, loopbackOf } from './sandbox'

interface Parts {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly random: Randomness
}

/** Chooses the card processor: the sandbox's own in a sandbox, else the one that is configured. */
export function openProcessor({ config, db, clock, random }: Parts): Processor {
  if (!config.sandbox || config.stripeSecretKey !== null) return createAbsentProcessor()
  return createSandboxProcessor({
    db,
    clock,
    random,
    webhookSecret: config.secrets.processorWebhook,
    loopbackUrl: loopbackOf(config),
  })
}
