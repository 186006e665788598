import { format, stripVTControlCharacters } from 'node:util'
import type { Logger } from '../core/platform'
import { escapeControls, withoutCredentials } from './logger'

const LINE_MAX_BYTES = 1_000
/** What a line holds beside the text: level, time, pid and names. */
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
 * Sends what the framework, the runtime and libraries print through the logger, one line for each text: the console, both
 * output streams, warnings of Node, and the error that ends the process. For the rest of the process.
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
  // Node prints these past its own streams.
  process.removeAllListeners('warning').on('warning', ({ name, message }) => write('warn', `${name}: ${message}`))
  process.on('uncaughtException', (error) => {
    log.error('process failed', {}, error)
    process.exit(1)
  })
}

/** The logger itself writes to the file descriptor, and so past the stream. */
function captureStream(stream: NodeJS.WriteStream, take: (text: string) => void): void {
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
    const done = more.find((one) => typeof one === 'function')
    if (done !== undefined) process.nextTick(done)
    return true
  }
}

/** Without colours and credentials, and then cut so that its line of JSON, as it is written, has at most a kilobyte. */
function toOneLine(text: string): string {
  let line = withoutCredentials(stripVTControlCharacters(text).trim())
  while (writtenBytes(line) > LINE_MAX_BYTES - ENVELOPE_BYTES) line = line.slice(0, -20)
  return line
}

const writtenBytes = (text: string): number => Buffer.byteLength(escapeControls(JSON.stringify(text)))
