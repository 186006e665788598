/** A command that is attended: its first server asks for another one, which ends with status 3 at SIGTERM. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { attend, isAttended, START_AGAIN } from '../../scripts/start/attend.mjs'

function serve() {
  const file = path.join(process.env.FOLDER ?? '', 'reset')
  if (!existsSync(file)) {
    writeFileSync(file, '')
    process.exit(START_AGAIN)
  }
  process.on('SIGTERM', () => process.exit(3))
  setInterval(() => undefined, 1_000)
  process.stdout.write(`serving ${process.execArgv.join(' ')}`)
}

if (isAttended) serve()
else attend()
