/** The supervisor of `WORKERS` alone, over workers that serve nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from './cluster'

const WITHIN_MS = 20_000

let folder: string
let supervisor: ChildProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-supervisor-'))
})
afterEach(async () => {
  if (supervisor?.exitCode === null) {
    supervisor.kill('SIGTERM')
    await once(supervisor, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

/** What becomes of each start of a worker, the first one first; what is left out answers. */
type Plan = readonly ('answer' | 'ask' | 'fail' | 'wait')[]

/** Resolves once all workers have started. */
async function supervise(size: number, plan: Plan): Promise<ChildProcess> {
  const started = spawn(process.execPath, [path.join(import.meta.dirname, 'supervising.mjs'), String(size)], {
    env: { NODE_ENV: 'test', PATH: process.env['PATH'], FOLDER: folder, PLAN: JSON.stringify(plan) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  supervisor = started
  let output = ''
  started.stdout.on('data', (chunk) => (output += String(chunk)))
  await until(
    async () => output,
    (text) => text.includes('started\n'),
    WITHIN_MS,
  )
  return started
}

const pidOf = async (start: number) => Number(await readFile(path.join(folder, String(start), 'pid'), 'utf8'))

/** The starts whose workers live. */
async function living(): Promise<number[]> {
  const starts = (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
  const alive = await Promise.all(starts.map(async (start) => [start, await isAlive(start)] as const))
  return alive.flatMap(([start, lives]) => (lives ? [start] : [])).toSorted((a, b) => a - b)
}

async function isAlive(start: number): Promise<boolean> {
  try {
    return process.kill(await pidOf(start), 0)
  } catch {
    return false
  }
}

const untilLiving = (starts: readonly number[]) => until(living, (alive) => alive.join() === starts.join(), WITHIN_MS)

test('a worker after the first that ends in its first start is replaced', async () => {
  await supervise(3, ['answer', 'fail', 'answer', 'fail'])
  expect(await living()).toHaveLength(3)
})

test('a worker that asks for metrics before it answers has not failed to start', async () => {
  await supervise(2, ['ask', 'ask'])
  expect(await living()).toEqual([1, 2])
})

test('a worker that ends while SIGHUP starts its successor is replaced by that one alone', async () => {
  const { pid = 0 } = await supervise(2, ['answer', 'answer', 'wait'])
  process.kill(pid, 'SIGHUP')
  await untilLiving([1, 2, 3])
  process.kill(await pidOf(1), 'SIGKILL')
  await untilLiving([2, 3])
  await writeFile(path.join(folder, 'go'), '')
  await untilLiving([3, 4])
  process.kill(await pidOf(3), 'SIGKILL')
  await untilLiving([4, 5])
})

test('a worker that ends while its successor fails is replaced all the same', async () => {
  const { pid = 0 } = await supervise(2, ['answer', 'answer', 'wait'])
  process.kill(pid, 'SIGHUP')
  await untilLiving([1, 2, 3])
  for (const start of [1, 3]) process.kill(await pidOf(start), 'SIGKILL')
  await untilLiving([2, 4])
})
