/** `npm run demo`: an agent buys a book from the sandbox's merchant, through the real tool server, against a running server. */
import { Narrator, red } from './demo/narrator'
import { exitCodes, parseOptions, USAGE } from './demo/options'
import { checkServer, runDemo } from './demo/run-demo'
import { startToolHost } from './demo/tool-host'
import { ApiError, CommandError, openOperator, readBaseUrl, readEnvironment, UsageError } from './operator-client'

async function demo(args: readonly string[]): Promise<number> {
  const options = parseOptions(args)
  if (options === null) {
    console.log(USAGE)
    return 0
  }
  const narrator = new Narrator(options.json)
  const env = readEnvironment()
  const baseUrl = readBaseUrl(env)
  await checkServer(baseUrl)
  const operator = openOperator(env, baseUrl)
  const host = await startToolHost(baseUrl)
  const stop = () => void host.close().finally(() => process.exit(130))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return exitCodes[await runDemo({ options, narrator, operator, host })]
  } catch (error) {
    narrator.endWait()
    narrator.fact('result', { status: 'error', message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    await host.close()
  }
}

try {
  process.exitCode = await demo(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = exitCodes.usage
  } else {
    const isExpected = error instanceof CommandError || error instanceof ApiError
    console.error(isExpected ? `${red('✗')} ${error.message}` : error)
    process.exitCode = exitCodes.error
  }
}
