import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { JWK } from 'jose'
import type { WitnessStatement } from './checks/witness.ts'
import type { Status } from './findings.ts'
import { NotAPack, type Report, verifyPack } from './verify.ts'

const USAGE = `Usage: countersign-verify <pack.json> [--jwks <file>] [--witness <file> --witness-key <file>] [--json]

Checks a pack of evidence about one payment, offline.

  --jwks <file>         keys that you trust, from the server's /oauth/jwks.json; without it the pack's own keys are used
  --witness <file>      a witness statement (JWS)
  --witness-key <file>  the witness's public key (JWK)
  --json                print the report as JSON

Exit codes: 0 everything holds (without --jwks by the pack's own keys), 1 something is wrong, was left out or was not kept,
2 not understood.
`

const options = {
  jwks: { type: 'string' },
  witness: { type: 'string' },
  'witness-key': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export interface Outcome {
  readonly code: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

/** Runs the command without a process of its own; returns its output and exit code. */
export async function run(argv: readonly string[]): Promise<Outcome> {
  try {
    return await check(argv)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { code: 2, out: '', err: error instanceof NotAPack ? `${reason}\n` : `${reason}\n\n${USAGE}` }
  }
}

async function check(argv: readonly string[]): Promise<Outcome> {
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
  if (values.help === true) return { code: 0, out: USAGE, err: '' }
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error('Give one pack.')
  const jwks = values.jwks === undefined ? {} : { jwks: await readJson(values.jwks) }
  const witness = await readWitness(values.witness, values['witness-key'])
  const report = await verifyPack(await readFile(file, 'utf8'), { ...jwks, ...witness })
  const isGood = report.verdict === 'proven' || report.verdict === 'consistent'
  const out = values.json === true ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report)
  return { code: isGood ? 0 : 1, out, err: '' }
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}

async function readWitness(
  file: string | undefined,
  keyFile: string | undefined,
): Promise<{ witness?: WitnessStatement }> {
  if (file === undefined && keyFile === undefined) return {}
  if (file === undefined || keyFile === undefined) throw new Error('--witness and --witness-key go together.')
  const key = (await readJson(keyFile)) as JWK
  return { witness: { jws: (await readFile(file, 'utf8')).trim(), key } }
}

const headings: readonly (readonly [Status, string])[] = [
  ['wrong', 'Wrong'],
  ['missing', 'Not proven'],
  ['proven', 'Proven'],
  ['stated', 'Only the server says so'],
]

function describeReport({ summary, findings }: Report): string {
  const lists = headings.flatMap(([status, heading]) => {
    const lines = findings.filter((finding) => finding.status === status)
    if (lines.length === 0) return []
    return [`${heading}:\n${lines.map(({ part, text }) => `  ${part}: ${text}`).join('\n')}`]
  })
  return `${summary.join('\n')}\n\n${lists.join('\n\n')}\n`
}
