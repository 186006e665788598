import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readKeys } from '../audit-verify/keys'
import { type CommandOutcome, type Environment, readBaseUrl, runCommand, UsageError } from '../operator-client'
import { witness } from './witness'

const USAGE = `Usage: npm run audit:witness -- --tenant <id> --state <folder> [--client-key <file>] [--jwks <file or URL>]

Reads the newest checkpoint of a tenant's audit chain and the entries since the last one it saw, checks that the old
one is a prefix of the new one, keeps it, and signs <seq>.witness.jws. To be run regularly, far from the server.

  --tenant      the tenant, which is the client_id of its wallet client
  --state       a folder of the witness's own: its key, what it saw last, its statements
  --client-key  the wallet client's private JWK (default: <state>/client.key.json)
  --jwks        the service's public keys (default: <BASE_URL>/oauth/jwks.json)

Exit codes: 0 seen, 1 a fork, a rollback, a gap or no answer: nothing is signed, 2 not understood`

/** Runs `audit:witness`. Exit codes: 0 seen and intact, 1 nothing signed, 2 wrong usage or input. */
export function witnessCommand(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  return runCommand(() => run(args, env))
}

async function run(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string' },
      state: { type: 'string' },
      'client-key': { type: 'string' },
      jwks: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) return { code: 0, text: USAGE }
  const { tenant: tenantId, state: folder, 'client-key': keyFile, jwks } = values
  if (tenantId === undefined || folder === undefined) throw new UsageError(USAGE)
  const baseUrl = readBaseUrl(env)
  const findKey = await readKeys(jwks ?? `${baseUrl}/oauth/jwks.json`)
  const text = await witness({
    baseUrl,
    tenantId,
    folder,
    findKey,
    keyFile: keyFile ?? join(folder, 'client.key.json'),
  })
  return { code: 0, text }
}
