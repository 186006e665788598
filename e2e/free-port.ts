import { execFileSync } from 'node:child_process'

const program = `const s = require('node:net').createServer().listen(0, () => { console.log(s.address().port); s.close() })`

/** A port that is free now. Playwright's configuration cannot wait for a promise, so another process looks. */
export function freePort(): number {
  return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
}
