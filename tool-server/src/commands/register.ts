import { createInterface } from 'node:readline'
import { CountersignError, UsageError } from '../errors.js'
import { AlreadyRegistered, registerAgent } from '../registration.js'
import { DEFAULT_AS_URL, type Settings } from '../settings.js'
import { RegistrationStore } from '../state/registration-store.js'
import { toRegistrationFailure, unknownDetail } from '../tools/define-tool.js'
import type { RegisterOptions } from './command-line.js'

/** Registers the agent; returns the exit code. */
export async function register(settings: Settings, options: RegisterOptions): Promise<number> {
  const { redirectUri, clientName } = options
  const asUrl = options.asUrl ?? settings.asUrl ?? DEFAULT_AS_URL
  const setupToken = options.setupToken === '-' ? await readLine() : options.setupToken
  try {
    const request = { setupToken, redirectUris: [redirectUri], clientName }
    const { client_id: clientId, issuer } = (await registerAgent(settings.home, asUrl, { request })).registration
    const directory = new RegistrationStore(settings.home).directory(issuer)
    process.stdout.write(`Registered at ${issuer}\nclient_id: ${clientId}\nstate: ${directory}\n`)
    return 0
  } catch (error) {
    const failure = toRegistrationFailure(error)
    const lines = failure instanceof CountersignError ? linesOf(failure) : [unknownDetail(failure)]
    process.stderr.write(`register failed: ${lines.join('\n')}\n`)
    return 1
  }
}

function linesOf(failure: CountersignError): string[] {
  const advice = adviceFor(failure)
  return advice === undefined ? [failure.message] : [failure.message, advice]
}

function adviceFor(failure: CountersignError): string | undefined {
  if (!(failure instanceof AlreadyRegistered)) return failure.hint
  return `To rotate, delete ${failure.directory} and register again with a fresh setup token.`
}

/** Reads the first line of stdin. */
async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of lines) {
      if (line.trim() !== '') return line.trim()
      break
    }
  } finally {
    lines.close()
    process.stdin.destroy()
  }
  throw new UsageError('there is no setup token on stdin')
}
