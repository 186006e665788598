/**
 * The production entry. The service answers the API and leaves the portal to Next, whose start hook (instrumentation.ts)
 * has put it together. `ROLE=api` starts the service alone, without Next; `WORKERS` starts several processes of either.
 * `--dev` runs Next's development server; LANE=next sends the API through Next's route files as well.
 */
import cluster from 'node:cluster'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileHandler } from './scripts/start/built-files.mjs'
import { problemsOf } from './scripts/start/failure.mjs'
import { log, reportFailure, reportReady, supervise, workerCount } from './scripts/start/supervise.mjs'

const dev = process.argv.includes('--dev')
if (dev && existsSync('.env')) process.loadEnvFile('.env')
process.env.NODE_ENV ??= dev ? 'development' : 'production'
process.env.NEXT_TELEMETRY_DISABLED ??= '1'
const port = Number(process.env.PORT ?? 3000)
const file = fileURLToPath(import.meta.url)
const dir = path.dirname(file)
const workers = dev ? 1 : workerCount(process.env)
const bootKey = Symbol.for('countersign.boot')

/**
 * Ends a start that failed, before Next tells it several times over, and lets the process end with status 0 or wait for
 * nothing. `npm start`, which imports this file, and the supervisor of a worker have their own words.
 */
function giveUp(error) {
  globalThis[Symbol.for('countersign.giveUp')]?.(error)
  if (cluster.isWorker) return reportFailure(error)
  // The service has led the console into its log by now, a line for each text; the supervisor has no service.
  const tell = workers > 1 ? (problem) => log('error', problem) : console.error
  for (const problem of problemsOf(error)) tell(problem)
  process.exit(1)
}

/** The service with what answers pages; nothing answers them where it stands alone. */
async function openService() {
  // Whatever puts the service together hands it over here; Next does not wait for its hook.
  const handover = new Promise((resolve) => {
    globalThis[Symbol.for('countersign.handover')] = { resolve, reject: giveUp }
  })
  if (process.env.ROLE === 'api' && !dev) {
    const { boot } = await import('./dist/api/boot.mjs')
    const [service] = await Promise.all([handover, boot()])
    return { service, handler: undefined }
  }
  // Next says how long its configuration took, before the service leads the console into its log.
  if (!dev) console.log = () => undefined
  const { default: next } = await import('next')
  // With the server itself Next would listen for upgrades, and Node would hand it every request that offers one, past ours.
  const app = next({ dev, dir, port, hostname: 'localhost', ...(!dev && { httpServer: new EventEmitter() }) })
  const [service] = await Promise.all([handover, app.prepare()])
  const nextHandler = app.getRequestHandler()
  return { service, handler: dev ? nextHandler : createFileHandler(dir, nextHandler) }
}

async function serve() {
  const { service, handler } = await openService().catch(giveUp)
  const server = service.createServer(handler)
  await server.listen(port).catch(giveUp)
  let stopping = false
  /** Answers what was accepted, lets settlements finish, then closes the database. */
  async function stop(graceSeconds) {
    if (stopping) return
    stopping = true
    await server.stop(graceSeconds)
    await service.drain()
    await service.close()
    process.exit(0)
  }
  // A load balancer needs time to notice; a person who presses Ctrl-C does not.
  process.on('SIGTERM', () => void stop(service.graceSeconds))
  process.on('SIGINT', () => void stop(0))
  // `npm start` shows them on its screen.
  if (process.argv[1] === file) for (const warning of globalThis[bootKey].warnings) console.warn(warning)
  reportReady(globalThis[bootKey])
}

if (workers > 1 && cluster.isPrimary) globalThis[bootKey] = await supervise(file, workers).catch(giveUp)
else await serve()
