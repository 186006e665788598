import { parseArgs } from 'node:util'
import { UsageError } from '../operator-client'
import type { ApiCall, Command, Options } from './command'
import { commands } from './commands'

/** A parsed command line: a request for help, or a call of the API. */
export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ApiCall; readonly json: boolean }

/** Reads the arguments after the program name, without sending anything or reading a file. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const wantsHelp = args.includes('--help') || args.includes('-h') || args.length === 0
  const command = findCommand(args.filter((arg) => !arg.startsWith('-')))
  if (wantsHelp) return { kind: 'help', text: command === null ? overview() : usageOf(command) }
  if (command === null)
    throw new UsageError(`There is no command "${args.join(' ')}". See \`npm run admin -- --help\`.`)
  const { values, positionals } = parse(command, args)
  const rest = positionals.slice(command.words.length)
  const takes = command.takes ?? []
  if (rest.length !== takes.length) throw new UsageError(`Usage: ${usageOf(command)}`)
  for (const [name, option] of Object.entries(command.options ?? {})) {
    if (option.required && values[name] === undefined)
      throw new UsageError(`--${name} is missing.\nUsage: ${usageOf(command)}`)
  }
  return { kind: 'call', call: command.toCall(rest, values), json: values['json'] !== undefined }
}

/** Returns the command that the words begin with, the longest one where several match; null when none does. */
function findCommand(words: readonly string[]): Command | null {
  const fitting = commands.filter((command) => command.words.every((word, index) => words[index] === word))
  return fitting.toSorted((one, other) => other.words.length - one.words.length)[0] ?? null
}

function parse(command: Command, args: readonly string[]): { values: Options; positionals: string[] } {
  const options = Object.keys(command.options ?? {}).map((name) => [name, { type: 'string' }] as const)
  try {
    const parsed = parseArgs({
      args: idsLast(args),
      options: { ...Object.fromEntries(options), json: { type: 'boolean' } },
      allowPositionals: true,
    })
    const values = Object.entries(parsed.values).map(([name, value]) => [name, String(value)] as const)
    return { values: Object.fromEntries<string>(values), positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usageOf(command)}`)
  }
}

/**
 * Moves ids that begin with a hyphen, such as that of a key, behind `--`, where no options are read. Options begin with
 * two.
 */
function idsLast(args: readonly string[]): string[] {
  const isId = (arg: string) => /^-[^-]/.test(arg)
  if (args.includes('--') || !args.some(isId)) return [...args]
  return [...args.filter((arg) => !isId(arg)), '--', ...args.filter(isId)]
}

function usageOf(command: Command): string {
  const takes = (command.takes ?? []).map((name) => `<${name}>`)
  const options = Object.entries(command.options ?? {}).map(([name, { hint, required }]) => {
    const text = `--${name} <${hint}>`
    return required ? text : `[${text}]`
  })
  return ['npm run admin --', ...command.words, ...takes, ...options, '[--json]'].join(' ')
}

function overview(): string {
  const lines = commands.map((command) => `  ${usageOf(command)}\n      ${command.summary}`)
  return [
    'Operates a running Countersign server over its operator API.',
    '',
    ...lines,
    '',
    'The server is BASE_URL, else http://localhost:PORT (3000). The credential is OPERATOR_TOKEN, else the file',
    'operator-token under DATA_DIR (./data). Exit codes: 0 done, 1 refused or unreachable, 2 not understood.',
  ].join('\n')
}
