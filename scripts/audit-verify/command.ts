import { parseArgs } from 'node:util'
import { type CommandOutcome, type Environment, readBaseUrl, runCommand, UsageError } from '../operator-client'
import { readKeys, readWitnessKey } from './keys'
import { readExport, readText } from './read-range'
import { verifyExport, type Witness } from './verify-export'

const USAGE = `Usage: npm run audit:verify -- <range.json>... [--jwks <file or URL>]
                                [--witness <file>... --witness-key <jwk>]

Checks the hashes and links of an exported audit chain, and the signed checkpoint of its end.

  --jwks         the service's public keys (default: <BASE_URL>/oauth/jwks.json)
  --witness      a statement of a witness: the chain must hold what it saw
  --witness-key  the witness's public key: a JWK, or a file with one

Exit codes: 0 intact, 1 not intact or not verifiable, 2 not understood`

interface Options {
  readonly jwks?: string | undefined
  readonly witness?: string[] | undefined
  readonly 'witness-key'?: string | undefined
}

/** Runs `audit:verify`. Exit codes: 0 intact, 1 not intact or not verifiable, 2 wrong usage or input. */
export function verifyCommand(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  return runCommand(() => verify(args, env))
}

async function verify(args: readonly string[], env: Environment): Promise<CommandOutcome> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      jwks: { type: 'string' },
      witness: { type: 'string', multiple: true },
      'witness-key': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  if (values.help === true) return { code: 0, text: USAGE }
  const ranges = positionals.map(readExport)
  if (ranges.length === 0) throw new UsageError(USAGE)
  const witness = await readWitness(values)
  const keys = await readKeys(values.jwks ?? `${readBaseUrl(env)}/oauth/jwks.json`)
  const { intact, text } = await verifyExport(ranges, keys, witness)
  return { code: intact ? 0 : 1, text }
}

async function readWitness({ witness, 'witness-key': key }: Options): Promise<Witness | undefined> {
  if (witness === undefined && key === undefined) return undefined
  if (witness === undefined || key === undefined) {
    throw new UsageError(`--witness and --witness-key belong together.\n\n${USAGE}`)
  }
  return { statements: witness.map((file) => readText(file).trim()), findKey: await readWitnessKey(key) }
}
