/** The operator's command line: a client of the operator API, so it works while the server runs. */
import { readFileSync } from 'node:fs'
import { type ApiCall, UsageError } from './admin/command'
import { parseCommandLine } from './admin/command-line'
import { writeQrCode } from './admin/offer-qr'
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
  const isTerminal = process.stdout.isTTY === true
  console.log(line.json ? JSON.stringify(answer) : renderAnswer(answer, { isTerminal }))
  if (line.call.qrFile !== undefined) writeQrCode(line.call.qrFile, answer)
}

function send({ method, path, isWhole = false, body, ...named }: ApiCall): Promise<unknown> {
  const whole = body === undefined ? undefined : { ...body, ...readFiles(named) }
  const operator = openOperator(process.env)
  return isWhole ? operator.requestWhole(method, path, whole) : operator.request(method, path, whole)
}

type NamedFiles = Pick<ApiCall, 'files' | 'texts' | 'certificates'>

/** The members of the body whose values are in files. */
function readFiles({ files = {}, texts = {}, certificates = {} }: NamedFiles): Readonly<Record<string, unknown>> {
  const read = (named: Readonly<Record<string, string>>, as: (file: string) => unknown) =>
    Object.entries(named).map(([member, file]) => [member, as(file)] as const)
  return Object.fromEntries<unknown>([
    ...read(files, readJsonFile),
    ...read(texts, readTextFile),
    ...read(certificates, readCertificates),
  ])
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`${path} cannot be read as JSON.`, { cause })
  }
}

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CommandError(`${path} cannot be read.`, { cause })
  }
}

/** The certificates of a PEM file, in their order. */
function readCertificates(path: string): readonly string[] {
  const found = readTextFile(path).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (found === null) throw new CommandError(`${path} holds no certificate in PEM.`)
  return found
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError || error instanceof CommandError || error instanceof ApiError)) throw error
  const asJson = process.argv.includes('--json') && error instanceof ApiError
  console.error(asJson ? JSON.stringify(error.body) : error.message)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_REFUSED
}
