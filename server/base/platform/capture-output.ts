import { format, stripVTControlCharacters } from 'node:util'
import type { Logger } from '../core/platform'
import { escapeControls, withoutCredentials } from './logger'

const LINE_MAX_BYTES = 1_000
/** The bytes of a log line besides its text: level, time, pid and names. */
const ENVELOPE_BYTES = 150

type Level = 'info' | 'warn' | 'error'
type Write = (level: Level, text: string) => void

const levelOfConsole = {
  debug: 'info',
  log: 'info',
  info: 'info',
  trace: 'warn',
  warn: 'warn',
  error: 'error',
} as const

/**
 * Redirects to the logger all that the framework, the runtime and libraries print from now on, one line for each text:
 * the console, both output streams, warnings of Node, and the error that ends the process.
 */
export function captureOutput(log: Logger): void {
  const write: Write = (level, text) => {
    const line = toOneLine(text)
    if (line !== '') log[level]('printed', { text: line })
  }
  for (const [name, level] of Object.entries(levelOfConsole)) {
    Reflect.set(console, name, (...words: unknown[]) => write(level, format(...words)))
  }
  captureStream(process.stdout, (text) => write('info', text))
  captureStream(process.stderr, (text) => write('warn', text))
  // Node writes warnings without `process.stderr.write`.
  process.removeAllListeners('warning').on('warning', ({ name, message }) => write('warn', `${name}: ${message}`))
  process.on('uncaughtException', (error) => {
    log.error('process failed', {}, error)
    process.exit(1)
  })
}

/** Redirects a stream to `take`. The logger is not affected, because it writes to the file descriptor. */
function captureStream(stream: NodeJS.WriteStream, take: (text: string) => void): void {
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = more.find((one) => typeof one === 'function')
    if (done !== undefined) process.nextTick(done)
    return true
  }
}

/** Removes colours and credentials from a text and cuts it, so that its line of JSON has at most a kilobyte. */
function toOneLine(text: string): string {
  let line = withoutCredentials(stripVTControlCharacters(text).trim())
  while (writtenBytes(line) > LINE_MAX_BYTES - ENVELOPE_BYTES) line = line.slice(0, -20)
  return line
}

const writtenBytes = (text: string): number => Buffer.byteLength(escapeControls(JSON.stringify(text)))
