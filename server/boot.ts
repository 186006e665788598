import { createLane, type Lane } from './http'
import { startJobs } from './jobs'
import { operations } from './operations'
import { processEnvironment } from './platform/config'
import { composePlatform } from './platform/compose'
import { installPlatform } from './platform/container'
import { seedPortalTenant, seedSandbox } from './seed'
import { drainSettlements } from './settlement'

/** What server.mjs needs of the service; module instances differ between Next's bundles, so it travels on globalThis. */
export interface Service {
  readonly lane: Lane
  /** Resolves when nothing that moves money is running in this process. */
  drain(): Promise<unknown>
  close(): Promise<void>
}

/** Longer than a settlement may take. */
const DRAIN_WITHIN_MS = 12_000

const serviceKey = Symbol.for('countersign.service')
const bootKey = Symbol.for('countersign.boot')
type Shared = typeof globalThis & { [serviceKey]?: Service; [bootKey]?: unknown }

/** Puts the service together: platform, built-in tenant, sandbox world, recurring work, and the production lane. */
export async function boot(): Promise<void> {
  const shared = globalThis as Shared
  if (shared[serviceKey] !== undefined) return
  const env = processEnvironment()
  const { platform, facts, close } = await composePlatform(env)
  installPlatform(platform)
  await seedPortalTenant(platform)
  const seeded = platform.config.sandbox ? await seedSandbox(platform) : null
  const stopJobs = startJobs(platform)
  const mode = env['LANE'] === 'next' || env['NODE_ENV'] === 'development' ? 'next' : 'direct'
  shared[serviceKey] = {
    lane: createLane({ operations, platform, mode }),
    drain: () => drainSettlements(platform, DRAIN_WITHIN_MS),
    close: async () => {
      await stopJobs()
      await close()
    },
  }
  shared[bootKey] = { ...facts, seeded }
}
