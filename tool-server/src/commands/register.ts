import { CountersignError } from '../errors.js'
import { registerAgent } from '../registration.js'
import { DEFAULT_AS_URL, type Settings } from '../settings.js'
import { RegistrationStore } from '../state/registration-store.js'
import { toRegistrationFailure } from '../tools/define-tool.js'
import type { RegisterOptions } from './command-line.js'

/** Registers the agent; answers the exit code. */
export async function register(settings: Settings, options: RegisterOptions): Promise<number> {
  const { setupToken, redirectUri, clientName } = options
  const asUrl = options.asUrl ?? settings.asUrl ?? DEFAULT_AS_URL
  try {
    const request = { setupToken, redirectUris: [redirectUri], clientName }
    const { client_id: clientId, issuer } = await registerAgent(settings.home, asUrl, { request })
    const directory = new RegistrationStore(settings.home).directory(issuer)
    process.stdout.write(`Registered at ${issuer}\nclient_id: ${clientId}\nstate: ${directory}\n`)
    return 0
  } catch (error) {
    const failure = toRegistrationFailure(error)
    if (!(failure instanceof CountersignError)) throw failure
    process.stderr.write(
      `register failed: ${failure.message}\n${failure.hint === undefined ? '' : `${failure.hint}\n`}`,
    )
    return 1
  }
}
