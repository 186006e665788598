/**
 * `npm start`: checks what the server needs, builds what has changed, and runs the server in this process, at a terminal
 * in a process below it. Without anything to build, it adds almost no time to the server's own start.
 */
import { existsSync } from 'node:fs'
import { attend, isAttended } from './start/attend.mjs'
import { build, outdatedSteps } from './start/build.mjs'
import { placePrefix } from './start/command.mjs'
import { SEE_CONFIGURATION } from './start/failure.mjs'
import { listenToKeys } from './start/keys.mjs'
import { choosePort } from './start/port.mjs'
import { done, giveUp, interactive } from './start/screen.mjs'
import { describeDataDir, printSummary, printTitle } from './start/summary.mjs'

const OLDEST_NODE = [20, 19]
const DEFAULT_PORT = 3000
const { env } = process

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  giveUp(`Node ${process.versions.node} is too old: ${OLDEST_NODE.join('.')} or newer is needed (https://nodejs.org).`)
}

/** Reads the configuration as the server will, so that its errors are reported before anything is built. */
async function checkConfiguration() {
  const { tsImport } = await import('tsx/esm/api')
  const { readConfig } = await tsImport('../server/base/platform/config.ts', import.meta.url)
  try {
    readConfig(env)
  } catch (error) {
    giveUp(explain(error))
  }
}

/** Returns what went wrong, in words for the person who started the server. */
function explain(error) {
  const problems = error?.problems
  if (Array.isArray(problems)) {
    const list = problems.map((problem) => `    ${problem}`).join('\n')
    return `The configuration cannot be used:\n${list}\n  ${SEE_CONFIGURATION}`
  }
  const detail = env.LOG_LEVEL === 'debug' && error?.stack ? error.stack : (error?.message ?? String(error))
  return `Countersign did not start. ${detail.replace(/^An error occurred while loading instrumentation hook: /, '')}`
}

/**
 * Runs the server. Next's output during the start is withheld: an error that ends the start is reported better here.
 * Once started, the server writes all output to its log.
 */
async function runServer() {
  const errors = []
  globalThis[Symbol.for('countersign.giveUp')] = (error) => giveUp(explain(error))
  console.log = () => undefined
  if (env.LOG_LEVEL !== 'debug') console.error = (...words) => errors.push(words)
  await import('../server.mjs')
  for (const words of errors) console.error(...words)
}

async function start() {
  checkNode()
  const { PORT, BASE_URL, DATA_DIR } = env
  if (existsSync('.env')) process.loadEnvFile('.env')
  printTitle(env)
  env.NODE_ENV ??= 'production'
  // A request log among the lines of this screen would make both unreadable.
  if (interactive) env.LOG_LEVEL ||= 'warn'
  const dataDir = describeDataDir(env)
  const outdated = outdatedSteps()
  const wanted = Number(env.PORT || DEFAULT_PORT)
  const isPort = Number.isInteger(wanted) && wanted > 0 && wanted <= 65_535
  if (outdated.length > 0 || !isPort) await checkConfiguration()
  const port = await choosePort(wanted)
  const prefix = placePrefix({ PORT: port === wanted ? PORT : String(port), BASE_URL, DATA_DIR })
  env.PORT = String(port)
  done(`Node ${process.versions.node}`, `port ${port} free`, dataDir)
  await build(outdated)
  await runServer()
  const boot = globalThis[Symbol.for('countersign.boot')]
  printSummary(boot, env, prefix)
  if (interactive) listenToKeys(boot)
}

if (interactive && !isAttended) attend()
else start().catch((error) => giveUp(explain(error)))
