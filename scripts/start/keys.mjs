import { rmSync } from 'node:fs'
import path from 'node:path'
import { START_AGAIN } from './attend.mjs'
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

/** Ends the server, which closes its database first, so that another one starts on an empty database. */
function reset(boot) {
  process.once('exit', (code) => {
    if (code !== 0) return
    rmSync(path.join(boot.dataDir, 'pg'), { recursive: true, force: true })
    process.exitCode = START_AGAIN
  })
  process.stdin.setRawMode(false)
  process.stdin.pause()
  stop()
}
