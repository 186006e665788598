/**
 * The process of `npm start` at a terminal: it starts the server in a process of its own, and another one after a reset,
 * because memory that a server holds is only freed with its process.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The exit status with which a server asks for another one on its empty database. */
export const START_AGAIN = 75

const SERVER = '--server'
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Whether this process is a server that {@link attend} has started. */
export const isAttended = process.argv.includes(SERVER)

/** Runs the server at this terminal, passes signals on to it, and ends as it does. */
export function attend() {
  let server
  for (const signal of SIGNALS) process.on(signal, () => server.kill(signal))
  const startServer = () => {
    server = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1), SERVER], { stdio: 'inherit' })
    server.once('exit', (status, signal) => {
      if (status === START_AGAIN) startServer()
      else process.exit(status ?? 128 + constants.signals[signal])
    })
  }
  startServer()
}
