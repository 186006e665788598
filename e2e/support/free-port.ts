import { execFileSync } from 'node:child_process'

const program = `
  const server = require('node:net').createServer().listen(0, () => {
    process.stdout.write(String(server.address().port))
    server.close()
  })`

/** Returns a free port. Playwright's configuration cannot await a promise, so another process finds it. */
export function freePort(): number {
  return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
}
