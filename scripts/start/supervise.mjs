/** `WORKERS`: runs several server processes on one port, under a supervisor that serves no requests itself. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { problemsOf } from './failure.mjs'
import { gatherReports } from './gather.mjs'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

/** Where the system's allocator has a pool for each thread, a worker with two pools needs 15 MB less. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' }

/**
 * Returns the number of processes. A value that cannot be read counts as one, and that process refuses it with all
 * other errors.
 */
export function workerCount({ WORKERS, DATABASE_URL, REDIS_URL }) {
  if (WORKERS !== 'auto') return /^[1-9]\d?$/.test(WORKERS ?? '') ? Number(WORKERS) : 1
  return DATABASE_URL && REDIS_URL ? os.availableParallelism() : 1
}

/** Reports to the supervisor, where there is one, that this process answers, with the facts of its start. */
export function reportReady(facts) {
  process.send?.({ ready: facts })
}

/**
 * Reports to the supervisor that this process cannot start; the supervisor then disconnects, which ends the process, so
 * that its report cannot come after its end. Nothing else may tell the failure meanwhile, so the returned promise stays
 * pending.
 */
export function reportFailure(error) {
  console.error = () => undefined
  const { name, message, problems } = error
  process.once('disconnect', () => process.exit(1))
  process.send({ failed: { name, message, problems, stack: inspect(error) } })
  return new Promise(() => undefined)
}

/**
 * Runs `size` workers of the file `exec` until SIGTERM or SIGINT, which is passed to each of them. A worker that ends,
 * even during its start, is replaced. SIGHUP replaces all, one after the other, each once its successor answers.
 * Resolves to the facts of the first start once all have started. Throws the failure of the first one; when that has
 * reported none, this process exits with its status.
 */
export async function supervise(exec, size) {
  cluster.setupPrimary({ exec, args: [] })
  const supervisor = new Supervisor()
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void supervisor.stop(signal))
  process.on('SIGHUP', () => void supervisor.roll())
  // The first worker creates tables, keys and secrets; the others find them.
  const { facts, status, failure } = await supervisor.start()
  if (failure !== undefined) throw failure
  if (facts === undefined) process.exit(status)
  await Promise.all(Array.from({ length: size - 1 }, () => supervisor.startAnother()))
  return facts
}

class Supervisor {
  #stopping = false
  /** Workers that answer. */
  #serving = new Set()
  /** Workers whose successor starts or has started. */
  #leaving = new Set()
  #rolling = Promise.resolve()

  /** Starts a worker. Returns the facts of its start once it answers, or else its exit status, and its failure if known. */
  async start() {
    const worker = cluster.fork({ ...ALLOCATOR, ...process.env })
    const ended = once(worker, 'exit').then(([status]) => ({ status: status ?? 1 }))
    const ready = new Promise((resolve) => {
      worker.on('message', ({ ready: facts, failed, gather }) => {
        if (facts !== undefined) resolve({ facts })
        if (failed !== undefined) {
          resolve({ status: 1, failure: Object.assign(new Error(failed.message), failed) })
          worker.process.disconnect()
        }
        if (gather === true) void this.#gather(worker)
      })
    })
    const outcome = await Promise.race([ready, ended])
    if ('facts' in outcome) {
      this.#serving.add(worker)
      void ended.then(() => this.#replace(worker))
    }
    return outcome
  }

  /** Starts a worker, and tries again until one answers. */
  async startAnother() {
    for (let pause = FIRST_PAUSE_MS; !this.#stopping; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const { facts, status, failure } = await this.start()
      if (facts !== undefined || this.#stopping) return
      log('error', 'a worker did not start', { status, ...reasonOf(failure) })
      await delay(pause)
    }
  }

  /** Answers a worker that asked for the metrics of all that serve. */
  async #gather(asking) {
    const gathered = await gatherReports([...this.#serving])
    if (asking.isConnected()) asking.send({ gathered })
  }

  /** Stops every worker with the signal, and then this process. */
  async stop(signal) {
    this.#stopping = true
    const ended = Object.values(cluster.workers).map((worker) => end(worker, signal))
    await Promise.all(ended)
    process.exit(0)
  }

  /** Replaces every worker, after any replacement that is in progress. */
  roll() {
    this.#rolling = this.#rolling.then(() => this.#replaceAll())
    return this.#rolling
  }

  async #replaceAll() {
    const workers = [...this.#serving]
    for (const worker of workers) {
      if (this.#stopping) return
      // A worker that failed meanwhile has been replaced.
      if (!this.#serving.has(worker)) continue
      this.#leaving.add(worker)
      const { facts, failure } = await this.start()
      if (facts === undefined) {
        log('error', 'the successor of a worker did not start', { worker: worker.process.pid, ...reasonOf(failure) })
        // The old worker continues, unless it has ended meanwhile.
        if (!this.#leaving.delete(worker)) await this.startAnother()
        return
      }
      // Without waiting: other workers serve the port meanwhile, so a load balancer notices nothing.
      await end(worker, 'SIGINT')
    }
  }

  /** Replaces a worker that ended without being stopped; its successors may fail too. */
  async #replace(worker) {
    this.#serving.delete(worker)
    if (this.#stopping || this.#leaving.delete(worker)) return
    const { pid, exitCode, signalCode } = worker.process
    log('error', 'a worker ended', { worker: pid, status: exitCode, signal: signalCode })
    await this.startAnother()
  }
}

async function end(worker, signal) {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill(signal)
  await ended
}

const reasonOf = (failure) => failure && { reason: problemsOf(failure).join('\n') }

/** Prints a line in the form of the workers' log. */
export function log(level, message, fields) {
  const line = { level, time: new Date().toISOString(), pid: process.pid, ...fields, message }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
