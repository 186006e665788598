/**
 * One server of the fault harness: the production lane over the real platform, with a clock and traps that the parent
 * process sets. It ends with its parent.
 */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type FailpointName, installFailpoints } from '@/server/base/core/failpoints'
import { composePlatform } from '@/server/base/platform/compose'
import { installPlatform } from '@/server/base/platform/container'
import { startJobs } from '@/server/jobs'
import { operations } from '@/server/operations'
import { seedPortalTenant } from '@/server/surfaces/seed'
import { createLane } from '@/server/transport/http'
import type { Order, Report, Trap } from './orders'

const traps = new Map<FailpointName, { trap: Trap; passed: number }>()
let offsetMilliseconds = Number(process.env['CLOCK_OFFSET_MILLISECONDS'] ?? 0)

function report(message: Report): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(message, () => resolve())
  })
}

async function spring(trap: Trap): Promise<void> {
  await report({ kind: 'sprung', trap })
  if (trap.action === 'kill') {
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
  if (trap.action === 'throw') throw new Error(`failpoint ${trap.name}`)
  await delay(trap.milliseconds ?? 0)
}

function pass(name: FailpointName): Promise<void> | undefined {
  const armed = traps.get(name)
  if (armed === undefined) return undefined
  armed.passed += 1
  if (armed.passed < armed.trap.atPassing) return undefined
  traps.delete(name)
  return spring(armed.trap)
}

function obey(order: Order): void {
  if (order.kind === 'clock') offsetMilliseconds = order.offsetMilliseconds
  else if (order.kind === 'disarm') traps.clear()
  else traps.set(order.trap.name, { trap: order.trap, passed: 0 })
}

async function serve(): Promise<void> {
  const first = process.env['FIRST_TRAP']
  if (first !== undefined) obey({ kind: 'trap', trap: JSON.parse(first) as Trap })
  const { platform } = await composePlatform(process.env, {
    clock: { now: () => new Date(Date.now() + offsetMilliseconds) },
  })
  installPlatform(platform)
  await seedPortalTenant(platform)
  startJobs(platform)
  const lane = createLane({ operations, platform, mode: 'direct' })
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    lane.handle(request, response).then(
      (handled) => {
        if (!handled) response.writeHead(404).end()
      },
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(platform.config.port, '127.0.0.1', resolve)
  })
}

installFailpoints(pass)
process.on('message', (order) => obey(order as Order))
process.on('disconnect', () => process.exit(0))
serve().then(
  () => report({ kind: 'ready' }),
  async (error: unknown) => {
    await report({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    process.exit(1)
  },
)
