import { Readable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { INPUT_LINE_MAX_BYTES, SHUTDOWN_GRACE_MS } from '../limits.js'
import { log } from '../log.js'
import { createToolServer } from '../server.js'
import type { Settings } from '../settings.js'
import { tools } from '../tools/index.js'
import { inputLines } from './input-lines.js'

/**
 * Serves the tools over stdin and stdout until the host disconnects. Starting uses neither disk nor network, since
 * hosts also start a server only to list its tools.
 */
export function serve(settings: Settings): void {
  const ended = new AbortController()
  const end = () => {
    if (ended.signal.aborted) return
    // Running calls stop waiting and fetching; an identical call continues from what they have stored.
    ended.abort()
    setTimeout(() => process.exit(0), SHUTDOWN_GRACE_MS)
  }
  process.stdin.once('end', end)
  process.stdin.once('close', end)
  process.stdout.once('error', end)
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The first message of a connection shows which revision of the protocol its host uses.
  serveStdio(() => createToolServer({ settings, tools, signal: ended.signal }), {
    transport: openTransport(),
    onerror: (error) => log('protocol error', { error: error.name }),
  })
}

/**
 * Opens stdin and stdout as transport. Unlike the SDK's own transport it skips a line that is too long, and keeps the
 * connection.
 */
function openTransport(): StdioServerTransport {
  const maxBytes = INPUT_LINE_MAX_BYTES
  const lines = inputLines(process.stdin, { maxBytes, onSkipped: () => log('input line too long') })
  const input = Readable.from(lines, { objectMode: false })
  return new StdioServerTransport(input, process.stdout, { maxBufferSize: maxBytes })
}
