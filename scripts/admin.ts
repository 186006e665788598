/** The operator's command line: a client of the operator API, so it works while the server runs. */
import { parseCommandLine } from './admin/command-line'
import { writeQrCode } from './admin/offer-qr'
import { renderAnswer } from './admin/render-answer'
import { sendCall } from './admin/send-call'
import { ApiError, CommandError, readEnvironment, UsageError } from './operator-client'

const EXIT_REFUSED = 1
const EXIT_USAGE = 2

async function run(args: readonly string[]): Promise<void> {
  const line = parseCommandLine(args)
  if (line.kind === 'help') {
    console.log(line.text)
    return
  }
  const answer = await sendCall(line.call, readEnvironment())
  const isTerminal = process.stdout.isTTY === true
  console.log(line.json ? JSON.stringify(answer) : renderAnswer(answer, { isTerminal }))
  if (line.call.qrFile !== undefined) writeQrCode(line.call.qrFile, answer)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof CommandError || error instanceof ApiError)) throw error
  const asJson = process.argv.includes('--json') && error instanceof ApiError
  console.error(asJson ? JSON.stringify(error.body) : error.message)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED
}
