import { parseArgs } from 'node:util'
import { UsageError } from '../errors.js'
import { parseUrl } from '../http/parse-url.js'
import { readAsUrl } from '../settings.js'

/** A parsed command line. */
export type Command =
  | { readonly name: 'register'; readonly options: RegisterOptions }
  | { readonly name: 'serve' }
  | { readonly name: 'help' }
  | { readonly name: 'version' }

/** Options of `register`. */
export interface RegisterOptions {
  /** The setup token; `-` reads a line from stdin, so that it appears in no process list and no shell history. */
  readonly setupToken: string
  readonly asUrl: string | undefined
  readonly redirectUri: string
  readonly clientName: string | undefined
}

/** The redirect URI when none is given: a listener on this machine. */
export const DEFAULT_REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'

/** The help text of the command. */
export const USAGE = `Usage:
  countersign-tools register --setup-token <code> [--as-url <url>] [--redirect-uri <url>] [--client-name <name>]
  countersign-tools serve

register   registers this agent with a setup token from the wallet
serve      serves the tools over stdin and stdout

  --setup-token <code>   single-use setup token (required); - reads it from stdin
  --as-url <url>         authorization server (default: COUNTERSIGN_AS_URL, else the built-in one)
  --redirect-uri <url>   redirect URI (default: ${DEFAULT_REDIRECT_URI})
  --client-name <name>   how the wallet shows this agent
  --help, --version
`

/** Reads the arguments after the program name. */
export function parseCommandLine(args: readonly string[]): Command {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h') return { name: 'help' }
  if (name === '--version') return { name: 'version' }
  if (name === 'register') return parseRegister(rest)
  if (name === 'serve') return parseServe(rest)
  throw new UsageError(name === undefined ? 'a subcommand is required' : `unknown subcommand: ${name}`)
}

function parseRegister(args: readonly string[]): Command {
  const values = parseStrictly(args, {
    'setup-token': { type: 'string' },
    'as-url': { type: 'string' },
    'redirect-uri': { type: 'string' },
    'client-name': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values['help'] === true) return { name: 'help' }
  const text = (option: string): string | undefined => {
    const value = values[option]
    if (value === '') throw new UsageError(`--${option} is empty`)
    return typeof value === 'string' ? value : undefined
  }
  const url = (option: string): string | undefined => {
    const value = text(option)
    if (value !== undefined && parseUrl(value) === null) throw new UsageError(`--${option} is not a URL`)
    return value
  }
  const setupToken = text('setup-token')
  if (setupToken === undefined) throw new UsageError('--setup-token is required')
  return {
    name: 'register',
    options: {
      setupToken,
      asUrl: readAsUrl('--as-url', text('as-url')),
      redirectUri: url('redirect-uri') ?? DEFAULT_REDIRECT_URI,
      clientName: text('client-name'),
    },
  }
}

function parseServe(args: readonly string[]): Command {
  const values = parseStrictly(args, { help: { type: 'boolean', short: 'h' } })
  return values['help'] === true ? { name: 'help' } : { name: 'serve' }
}

type OptionTypes = Record<string, { type: 'string' | 'boolean'; short?: string }>

function parseStrictly(args: readonly string[], options: OptionTypes): Record<string, unknown> {
  const joined = joinValues(args, options)
  const names = joined.map((arg) => /^--([^=]+)/.exec(arg)?.[1] ?? '').filter((name) => name in options)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice`)
  try {
    return parseArgs({ args: joined, options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

/**
 * Writes `--name value` as `--name=value`. A value may begin with a hyphen, as one setup token in 64 does, and would be
 * taken for an option otherwise.
 */
function joinValues(args: readonly string[], options: OptionTypes): string[] {
  const optionOf = (arg: string) => options[/^--([^=]+)/.exec(arg)?.[1] ?? '']
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1)
    const isValue = before !== undefined && !before.includes('=') && optionOf(before)?.type === 'string'
    if (isValue && optionOf(arg) === undefined) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}
