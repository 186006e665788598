import { checkpointTenants } from './audit'
import type { Platform } from './core/platform'
import { deliverMessages } from './notifications'
import { deliverSandboxEvents } from './platform/processor/sandbox'
import { sweepSandboxNonces } from './sandbox'
import { resolveUnknown } from './settlement'
import { sweepExpired } from './sweep'

interface Job {
  readonly name: string
  readonly everySeconds: number
  readonly run: (platform: Platform) => Promise<unknown>
}

const jobs: readonly Job[] = [
  { name: 'deliver-messages', everySeconds: 1, run: deliverMessages },
  { name: 'resolve-settlements', everySeconds: 5, run: resolveUnknown },
  { name: 'sweep-expired', everySeconds: 60, run: sweepExpired },
  { name: 'checkpoint-audit', everySeconds: 3600, run: checkpointTenants },
]
const sandboxJobs: readonly Job[] = [
  { name: 'deliver-sandbox-webhooks', everySeconds: 1, run: deliverSandboxEvents },
  { name: 'sweep-sandbox-nonces', everySeconds: 60, run: sweepSandboxNonces },
]

/** Starts the recurring work of a process; the returned function stops it and waits for what is running. */
export function startJobs(platform: Platform): () => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const timers = [...jobs, ...(platform.config.sandbox ? sandboxJobs : [])].map((job) =>
    setInterval(() => {
      if (running.has(job.name)) return
      running.set(
        job.name,
        runJob(platform, job).finally(() => running.delete(job.name)),
      )
    }, job.everySeconds * 1000).unref(),
  )
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running.values())
  }
}

async function runJob(platform: Platform, { name, run }: Job): Promise<void> {
  try {
    await run(platform)
  } catch (cause) {
    platform.log.error('job failed', { job: name }, cause)
  }
}
