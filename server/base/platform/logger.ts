import pino from 'pino'
import type { Config, LogFields, Logger } from '../core/platform'
import { originalStack } from './original-stack'

const MAX_TEXT_CHARS = 2_000
const MAX_CAUSES = 4
/** Compact JWTs and SD-JWTs, and runs as long as our own tokens, codes and hashes. */
const credentials = /eyJ[\w-]+\.[\w.~-]+|(?<![\w-])[\w-]{43,}(?![\w-])/g
/** The last word of a text that was cut, which may be a piece of a credential. */
const lastRun = /(?<![\w.~-])[\w.~-]*$/

/** Characters that JSON does not escape but terminals interpret: DEL, C1, line separators and directions. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const rawControls = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
const escapeControl = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
/** Escapes control characters in a line of JSON, as the logger writes it. */
export const escapeControls = (line: string): string => line.replace(rawControls, escapeControl)

interface Destination {
  write(line: string): void
}

/** Creates a logger of JSON lines, one per event, written before the call returns; by default to standard output. */
export function createLogger(level: Config['logLevel'], destination?: Destination): Logger {
  const options = {
    level,
    messageKey: 'message',
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const out = destination ?? pino.destination({ dest: 1, sync: true })
  const log = pino(options, { write: (line: string) => out.write(escapeControls(line)) })
  const write =
    (name: 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields, cause?: unknown): void => {
      if (!log.isLevelEnabled(name)) return
      log[name](
        { ...clean(fields ?? {}), ...(cause !== undefined && { cause: describe(cause) }) },
        withoutCredentials(message),
      )
    }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Returns the text without anything that looks like a token, cut to the length that a log line allows. */
export function withoutCredentials(text: string): string {
  const isCut = text.length > MAX_TEXT_CHARS
  const head = isCut ? text.slice(0, MAX_TEXT_CHARS).replace(lastRun, '[cut]') : text
  return head.replace(credentials, '[cut]')
}

function clean(fields: LogFields): LogFields {
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? withoutCredentials(value) : value]),
  )
}

/** Returns only name, message, stack and causes of an error: other members may hold parameters and answers. */
function describe(cause: unknown, depth = 1): unknown {
  if (!(cause instanceof Error)) return { name: typeof cause, message: withoutCredentials(String(cause)) }
  return {
    name: cause.name,
    message: withoutCredentials(cause.message),
    ...(cause.stack && { stack: withoutCredentials(originalStack(cause.stack)) }),
    ...(cause.cause !== undefined && depth < MAX_CAUSES && { cause: describe(cause.cause, depth + 1) }),
  }
}
