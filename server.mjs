/**
 * The production entry. The service that instrumentation.ts has put together answers the API and leaves the portal to
 * Next. `--dev` runs Next's development server; LANE=next sends the API through
 * Next's route files as well.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileHandler } from './scripts/start/built-files.mjs'

const dev = process.argv.includes('--dev')
process.env.NODE_ENV ??= dev ? 'development' : 'production'
process.env.NEXT_TELEMETRY_DISABLED ??= '1'
const port = Number(process.env.PORT ?? 3000)
const file = fileURLToPath(import.meta.url)
const dir = path.dirname(file)

/**
 * Ends a start that failed. Next would tell it several times over, and let the process end with status 0 or wait for
 * nothing. `npm start` imports this file and has its own words.
 */
function giveUp(error) {
  if (process.argv[1] !== file) throw error
  // The service has led the console into its log by now, a line for each text.
  // What an operator can mend is said without a stack.
  const known = { ConfigError: error?.problems, StartFailure: [error?.message] }
  for (const problem of known[error?.name] ?? [error]) console.error(problem)
  process.exit(1)
}

// Next runs instrumentation.ts while it prepares, but does not wait for it; the service hands itself over here.
const handover = new Promise((resolve, reject) => {
  globalThis[Symbol.for('countersign.handover')] = { resolve, reject }
})
// Next says how long its configuration took, before the service leads the console into its log.
if (!dev) console.log = () => undefined
const { default: next } = await import('next')
const app = next({ dev, dir, port, hostname: 'localhost' })
const [service] = await Promise.all([handover, app.prepare()]).catch(giveUp)
const nextHandler = app.getRequestHandler()
const handler = dev ? nextHandler : createFileHandler(dir, nextHandler)

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
