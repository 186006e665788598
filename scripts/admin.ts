/** The operator's command line: a client of the operator API, so it works while the server runs. */
import { readFileSync } from 'node:fs'
import { type ApiCall, UsageError } from './admin/command'
import { parseCommandLine } from './admin/command-line'
import { renderAnswer } from './admin/render-answer'
import { ApiError, CommandError, openOperator } from './operator-client'

const EXIT_REFUSED = 1
const EXIT_USAGE = 2

async function run(args: readonly string[]): Promise<void> {
  const line = parseCommandLine(args)
  if (line.kind === 'help') {
    console.log(line.text)
    return
  }
  const answer = await send(line.call)
  console.log(line.json ? JSON.stringify(answer) : renderAnswer(answer))
}

function send({ method, path, body, files = {} }: ApiCall): Promise<unknown> {
  const read = Object.entries(files).map(([member, file]) => [member, readJsonFile(file)] as const)
  const whole = body === undefined ? undefined : { ...body, ...Object.fromEntries<unknown>(read) }
  return openOperator(process.env).request(method, path, whole)
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`${path} cannot be read as JSON.`, { cause })
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError || error instanceof CommandError || error instanceof ApiError)) throw error
  const asJson = process.argv.includes('--json') && error instanceof ApiError
  console.error(asJson ? JSON.stringify(error.body) : error.message)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED
}
