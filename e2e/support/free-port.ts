import { execFileSync } from 'node:child_process'

const program = `
  const server = require('node:net').createServer().listen(0, () => {
    process.stdout.write(String(server.address().port))
    server.close()
  })`

/** A port that is free now. Playwright's configuration cannot wait for a promise, so another process looks. */
export function freePort(): number {
  return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
}
