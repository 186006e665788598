import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { confirm, giveUp, interactive, line, yellow } from './screen.mjs'

const PORTS_TO_TRY = 20
const LISTENING = '0A'

/** Returns the port to listen on: the wanted one, or when it is taken the next one if the person agrees. */
export async function choosePort(wanted) {
  if (await isFree(wanted)) return wanted
  const pid = pidFromProc(wanted) ?? pidFromLsof(wanted)
  // Another port would not help: the data directory serves one process.
  if (pid !== null && Number(pid) === pidOfDataDir()) {
    giveUp(`It already runs at ${process.env.BASE_URL || `http://localhost:${wanted}`} (pid ${pid}).`)
  }
  const holder = (await isCountersign(wanted)) ? 'another Countersign server' : 'another program'
  const name = describeHolder(pid)
  const taken = `Port ${wanted} is used by ${holder}${name === null ? '' : `: ${name}`}.`
  const next = await nextFree(wanted)
  if (next === null) giveUp(`${taken} Choose another one: PORT=<number> npm start`)
  if (!interactive || process.env.BASE_URL)
    giveUp(`${taken}\n  Stop it, or choose another port: PORT=${next} npm start`)
  line(`${yellow('!')} ${taken}`)
  if (!(await confirm(`Use port ${next} instead?`))) process.exit(1)
  return next
}

async function nextFree(from) {
  for (let port = from + 1; port <= Math.min(from + PORTS_TO_TRY, 65_535); port += 1) {
    if (await isFree(port)) return port
  }
  return null
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else if (error.code === 'EACCES')
        giveUp(`This user may not listen on port ${port}. Choose one above 1023: PORT=3000 npm start`)
      else reject(error)
    })
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

async function isCountersign(port) {
  try {
    const url = `http://localhost:${port}/.well-known/oauth-authorization-server`
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000), redirect: 'error' })
    return (await answer.text()).includes('oid4ac_mandate')
  } catch {
    return false
  }
}

/** Returns the process that has locked the data directory (server/base/platform/database/data-directory-lock.ts), or null. */
function pidOfDataDir() {
  try {
    return JSON.parse(readFileSync(path.resolve(process.env.DATA_DIR || './data', 'lock'), 'utf8')).pid
  } catch {
    return null
  }
}

/** Describes a process, where this user may see it, for instance `node server.mjs (pid 123)`; else returns null. */
function describeHolder(pid) {
  if (pid === null) return null
  const command = commandOf(pid)
  return command === null ? `pid ${pid}` : `${command} (pid ${pid})`
}

/**
 * Finds the process on Linux without any tool: the socket's inode from the socket table, then the process that has it
 * open.
 */
function pidFromProc(port) {
  try {
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
    const fields = rows.map((row) => row.trim().split(/\s+/))
    const row = fields.find(([, local, , state]) => local?.endsWith(`:${hex}`) && state === LISTENING)
    const socket = row === undefined ? null : `socket:[${row[9]}]`
    if (socket === null) return null
    return readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holdsSocket(entry, socket)) ?? null
  } catch {
    return null
  }
}

function holdsSocket(pid, socket) {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket)
  } catch {
    return false
  }
}

function linkOf(file) {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}

function pidFromLsof(port) {
  return run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'])?.split('\n')[0] ?? null
}

function commandOf(pid) {
  const command = run('ps', ['-p', String(pid), '-o', 'args='])
  return command === null ? null : command.slice(0, 80)
}

function run(program, args) {
  try {
    const text = execFileSync(program, args, {
      encoding: 'utf8',
      timeout: 2000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return text === '' ? null : text
  } catch {
    return null
  }
}
