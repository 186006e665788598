import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { openBrowser } from './open-browser.mjs'
import { dim, line, yellow } from './screen.mjs'

const CTRL_C = '\u0003'

/** Handles single keys while the server runs in a terminal. */
export function listenToKeys(boot) {
  const { stdin } = process
  const actions = {
    o: () => open(boot.baseUrl),
    d: boot.seeded === null ? null : () => open(`${boot.baseUrl}/sign-in`),
    r: boot.sandbox && boot.database === 'embedded' ? askToReset : null,
    q: stop,
    [CTRL_C]: stop,
  }
  let onKey = (key) => actions[key]?.()
  function askToReset() {
    line(
      yellow('Delete every person, agent, approval and payment of this sandbox? y deletes, any other key keeps them.'),
    )
    onKey = (key) => {
      onKey = (next) => actions[next]?.()
      if (key === 'y' || key === 'Y') reset(boot)
      else if (key === CTRL_C) stop()
      else line('Kept.')
    }
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  stdin.on('data', (keys) => {
    for (const key of keys) onKey(key.length === 1 ? key.toLowerCase() : key)
  })
}

async function open(url) {
  line(dim((await openBrowser(url)) ? `opening ${url}` : `Open this address in a browser: ${url}`))
}

let stopping = false
/** Stops the server. The first time waits for running requests, as Ctrl-C does; the second time does not. */
function stop() {
  if (stopping) process.exit(1)
  stopping = true
  line(dim('stopping …'))
  process.emit('SIGINT')
}

/**
 * Restarts on an empty database. The server closes its own first; memory that it holds is only freed with the process,
 * so a new process takes its place on this terminal.
 */
function reset(boot) {
  process.once('exit', (code) => {
    if (code !== 0) return
    rmSync(path.join(boot.dataDir, 'pg'), { recursive: true, force: true })
    const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
    process.exitCode = status ?? 1
  })
  process.stdin.setRawMode(false)
  process.stdin.pause()
  stop()
}
