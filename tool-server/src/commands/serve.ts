import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { SHUTDOWN_GRACE_MS } from '../limits.js'
import { log } from '../log.js'
import { createToolServer } from '../server.js'
import type { Settings } from '../settings.js'
import { tools } from '../tools/index.js'

/**
 * Serves the tools over stdin and stdout until the host goes away. Starting touches neither disk nor network: hosts
 * start a server only to look at it.
 */
export function serve(settings: Settings): void {
  const ended = new AbortController()
  const end = () => {
    if (ended.signal.aborted) return
    // Calls under way stop waiting and fetching; what they had written down lets an identical call go on.
    ended.abort()
    setTimeout(() => process.exit(0), SHUTDOWN_GRACE_MS)
  }
  process.stdin.once('end', end)
  process.stdin.once('close', end)
  process.stdout.once('error', end)
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The first message of a connection says which generation of the protocol its host speaks.
  serveStdio(() => createToolServer({ settings, tools, signal: ended.signal }), {
    onerror: (error) => log('protocol error', { error: error.name }),
  })
}
