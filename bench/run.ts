/**
 * Runs the benches that have goals, one after the other, and prints all their figures beside them in one table:
 *   DATABASE_URL=postgres://… [REDIS_URL=redis://…] npm run bench
 * The role in DATABASE_URL must be able to create databases. It takes three quarters of an hour; the machine should do
 * nothing else.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Figure } from './results'

const commands = [
  'bench:peer',
  'bench:floor',
  'bench:growth',
  'bench:start',
  'bench:mix -- --minutes 3',
  'bench:mix -- --minutes 3 --database embedded',
  // Several processes share a Redis server.
  ...(process.env['REDIS_URL'] === undefined ? [] : ['bench:workers']),
]

const directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
const file = path.join(directory, 'figures')

/** The figures of one bench, in its process, with the command that makes them. */
function figuresOf(command: string) {
  writeFileSync(file, '')
  const { status } = spawnSync('npm', ['run', '--silent', ...command.split(' ')], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_FIGURES: file },
  })
  if (status !== 0) throw new Error(`npm run ${command} ended with ${status}`)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => ({ ...(JSON.parse(line) as Figure), command: `npm run ${command}` }))
}

try {
  console.table(commands.flatMap(figuresOf))
  console.log(`${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, Node.js ${process.version}`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
