/** `npm run demo`: an agent buys a book from the sandbox's merchant, through the real tool server, against a running server. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runMisuse } from './demo/misuse'
import { Narrator, red } from './demo/narrator'
import { exitCodes, parseOptions, USAGE } from './demo/options'
import { checkServer, runDemo } from './demo/run-demo'
import { startToolHost } from './demo/tool-host'
import {
  ApiError,
  CommandError,
  type Environment,
  openOperator,
  readBaseUrl,
  readDataDir,
  readEnvironment,
  UsageError,
} from './operator-client'
import { placePrefix } from './start/command.mjs'

/** The exit status after Ctrl-C. */
const INTERRUPTED = 130

/** Begins the file that the agent's requests and responses are appended to. */
function openRawLog(env: Environment): string {
  const file = path.join(readDataDir(env), 'demo', 'last.jsonl')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, '', { mode: 0o600 })
  return file
}

async function demo(args: readonly string[], narrator: Narrator): Promise<number> {
  const options = parseOptions(args)
  if (options === null) {
    console.log(USAGE)
    return 0
  }
  const prefix = placePrefix(process.env)
  const env = readEnvironment()
  const baseUrl = readBaseUrl(env)
  await checkServer(baseUrl)
  const operator = openOperator(env, baseUrl)
  const rawLog = openRawLog(env)
  const host = await startToolHost(baseUrl, rawLog)
  let isInterrupted = false
  const stop = () => {
    isInterrupted = true
    void host.close().finally(() => process.exit(INTERRUPTED))
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const context = { options, narrator, operator, host, prefix, rawLog }
    return exitCodes[await (options.misuse === null ? runDemo(context) : runMisuse(context, options.misuse))]
  } catch (error) {
    // The call that was running fails when its host ends.
    if (isInterrupted) return INTERRUPTED
    throw error
  } finally {
    narrator.endWait()
    await host.close()
  }
}

const args = process.argv.slice(2)
const narrator = new Narrator(args.includes('--json'))
try {
  process.exitCode = await demo(args, narrator)
} catch (error) {
  narrator.fact('result', { status: 'error', message: error instanceof Error ? error.message : String(error) })
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = exitCodes.usage
  } else {
    const isExpected = error instanceof CommandError || error instanceof ApiError
    console.error(isExpected ? `${red('✗')} ${error.message}` : error)
    process.exitCode = exitCodes.error
  }
}
