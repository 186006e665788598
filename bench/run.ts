/**
 * Runs the benches of docs/performance.md, one after the other, and prints their figures beside their goals in one table:
 *   DATABASE_URL=postgres://… [REDIS_URL=redis://…] [PEER_NODE=<file>] npm run bench
 * The role in DATABASE_URL must be able to create databases. Several processes are measured with REDIS_URL, and the peer
 * once more on the Node.js that PEER_NODE names. It takes an hour and a half; the machine should do nothing else.
 * `bench:audit` and `bench:tools` run alone, and fail when they miss their goals.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Figure } from './support/results'

const { REDIS_URL: redisUrl, PEER_NODE: peerNode } = process.env
const commands = [
  'bench:peer',
  ...(peerNode === undefined ? [] : [`bench:peer -- --peer-node ${peerNode}`]),
  'bench:floor',
  'bench:status-list',
  'bench:growth',
  'bench:hot',
  'bench:start',
  'bench:mix -- --minutes 60',
  'bench:mix -- --minutes 10 --database embedded',
  ...(redisUrl === undefined ? [] : ['bench:workers']),
]

const directory = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
const file = path.join(directory, 'figures')

/** Runs one bench in its own process, and returns its figures with the command. */
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

const figures: ReturnType<typeof figuresOf> = []
try {
  for (const command of commands) figures.push(...figuresOf(command))
} finally {
  console.table(figures)
  console.log(`${os.cpus()[0]?.model}, ${os.availableParallelism()} cores, Node.js ${process.version}`)
  rmSync(directory, { recursive: true, force: true })
}
