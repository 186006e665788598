import { parseArgs } from 'node:util'
import { UsageError } from '../operator-client'

/** The options of the demo. */
export interface DemoOptions {
  /** Who decides: the person in the portal, or the demo in their name. With `nobody`, the agent waits in vain. */
  readonly decision: 'ask' | 'approve' | 'decline' | 'nobody'
  /** Whether to buy more than the person allows for one payment. */
  readonly overCap: boolean
  /** Whether to buy an item for people of 18 and older, for which the person proves their age. */
  readonly age: boolean
  /** What to try that must be refused, after Ada's approval; null for an honest agent. */
  readonly misuse: 'replay' | 'tamper' | null
  readonly json: boolean
}

/** The exit codes of the process. A pending purchase is never a success. */
export const exitCodes = {
  paid: 0,
  error: 1,
  usage: 2,
  declined: 3,
  step_up_required: 4,
  setup_required: 5,
  refused: 6,
} as const
export type Outcome = 'paid' | 'declined' | 'step_up_required' | 'setup_required' | 'refused'

export const USAGE = `Usage: npm run demo -- [--yes | --decline | --timeout] [--over-cap | --age] [--json]
       npm run demo -- --replay | --tamper [--json]

An agent buys a book in the sandbox of a running server, through the real tool server.

  --yes        approve as Ada over HTTP, without a browser
  --decline    decline as Ada over HTTP
  --timeout    let nobody answer
  --over-cap   buy more than Ada's limit for one payment
  --age        buy gin, which Ada's age is proven for with a test wallet
  --replay     approve as Ada, then settle the mandate twice
  --tamper     approve as Ada, then change catalog, order and mandate
  --json       one JSON object per step

The server is BASE_URL, else http://localhost:PORT (3000).
Exit codes: 0 paid, 1 error, 2 not understood, 3 declined, 4 step_up_required, 5 setup_required,
6 refused, as it has to be`

/** Reads the arguments after the program name; null when they ask for help. */
export function parseOptions(args: readonly string[]): DemoOptions | null {
  const values = parse(args)
  if (values['help'] === true) return null
  const chosen = (['yes', 'decline', 'timeout'] as const).filter((name) => values[name] === true)
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(' and --')} exclude each other.`)
  if (values['age'] === true && values['over-cap'] === true) {
    throw new UsageError('--age and --over-cap exclude each other.')
  }
  const misuse = (['replay', 'tamper'] as const).filter((option) => values[option] === true)
  const others = [...chosen, ...(['over-cap', 'age'] as const).filter((option) => values[option] === true)]
  if (misuse.length > 0 && misuse.length + others.length > 1) {
    throw new UsageError(`--${[...misuse, ...others].join(' and --')} exclude each other.`)
  }
  const decisions = { yes: 'approve', decline: 'decline', timeout: 'nobody' } as const
  const [name] = chosen
  return {
    decision: name === undefined ? 'ask' : decisions[name],
    overCap: values['over-cap'] === true,
    age: values['age'] === true,
    misuse: misuse[0] ?? null,
    json: values['json'] === true,
  }
}

function parse(args: readonly string[]): Readonly<Record<string, unknown>> {
  const flag = { type: 'boolean' } as const
  const options = {
    yes: flag,
    decline: flag,
    timeout: flag,
    'over-cap': flag,
    age: flag,
    replay: flag,
    tamper: flag,
    json: flag,
    help: { ...flag, short: 'h' },
  }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
