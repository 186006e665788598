import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { PrismaClient } from '@/prisma/generated/client'
import { secondsSince } from '../../core/elapsed'
import type { Database, Queryable, Transaction } from '../../core/platform'
import { type Sql, sql } from '../../core/sql'
import { type CounterLabels, type CounterName, NO_TELEMETRY, type OpenSpan, type Telemetry } from '../../core/telemetry'
import { lockDataDirectory } from './data-directory-lock'
import type { Driver, Finished, Session } from './driver'
import { buildUnavailableError, isRetryable, isUnavailable, sqlState, translateFailure } from './errors'

const MAX_ATTEMPTS = 4
const RETRY_DELAY_MILLISECONDS = 5
const TRANSACTION_SPAN = {
  kind: 'client',
  name: 'database transaction',
  attributes: { 'db.system.name': 'postgresql' },
} as const

/** The place of the database. Without a URL it is embedded, in `<dataDir>/pg` or, for tests, in memory. */
export interface DatabaseLocation {
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly databasePoolSize: number
  /** A database in memory that is open already. */
  readonly inMemory?: PGlite
}

/** The database port, with the further methods that starts, migrations and tests need. */
export interface OpenDatabase extends Database {
  readonly kind: Driver['kind']
  /** Throws when the database is closed, or inside an open transaction of the same flow. */
  checkUsable(): void
  /** Runs `work` on one connection for scripts, without the timeouts of requests. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Returns the embedded data directory as a tar archive, from which another database can be opened. */
  dump(): Promise<Blob>
  /** Counts and times transactions and failures there from now on. */
  observeWith(telemetry: Telemetry): void
}

/** Opens the database; the embedded one is locked against a second process until it is closed. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  if (location.databaseUrl !== null) {
    const { openPostgres } = await import('./postgres')
    return new GuardedDatabase(await openPostgres(location.databaseUrl, location.databasePoolSize))
  }
  const { driveInMemory, openEmbedded } = await import('./pglite')
  if (location.inMemory) return new GuardedDatabase(driveInMemory(location.inMemory))
  const unlock = lockDataDirectory(location.dataDir)
  try {
    return new GuardedDatabase(await openEmbedded(location.dataDir), unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Enforces the rules of every database: inside a transaction, all statements of the same flow must use it (the embedded
 * database would wait for itself, the served one could run out of connections); retries happen only where the server
 * says that nothing was done; and failures are translated as in errors.ts.
 */
class GuardedDatabase implements OpenDatabase {
  readonly kind: Driver['kind']
  readonly #open = new AsyncLocalStorage<{ closed: boolean }>()
  #prisma: PrismaClient | undefined
  #closing: Promise<void> | undefined
  #telemetry: typeof NO_TELEMETRY = NO_TELEMETRY

  constructor(
    private readonly driver: Driver,
    private readonly unlock: () => void = () => undefined,
  ) {
    this.kind = driver.kind
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    this.checkUsable()
    return this.#translated(() => this.driver.query<Row>(statement))
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.checkUsable()
    return this.#telemetry.traced(TRANSACTION_SPAN, (span) => this.#translated(() => this.#attempts(work, span)))
  }

  async #attempts<T>(work: (tx: Transaction) => Promise<T>, span: OpenSpan): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.#attempt(work)
        span.set({ 'countersign.outcome': 'committed', 'countersign.attempts': attempt })
        return result
      } catch (error) {
        span.set({ 'countersign.outcome': 'rolled_back', 'countersign.attempts': attempt })
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
        await delay(attempt * RETRY_DELAY_MILLISECONDS)
      }
    }
  }

  async session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.checkUsable()
    return this.#translated(() => this.driver.session(work))
  }

  async dump(): Promise<Blob> {
    this.checkUsable()
    return this.driver.dump()
  }

  get prisma(): PrismaClient {
    this.checkUsable()
    this.#prisma ??= this.#createPrisma()
    return this.#prisma
  }

  async ping(): Promise<void> {
    const [row] = await this.query<{ read_only: boolean }>(
      sql`SELECT current_setting('transaction_read_only') = 'on' AS read_only`,
    )
    if (row?.read_only === true) throw buildUnavailableError('it is read-only')
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      await this.#prisma?.$disconnect()
      await this.driver.close()
    } finally {
      // Otherwise every promise of the process would still be followed for a database that is gone.
      this.#open.disable()
      this.unlock()
    }
  }

  observeWith(telemetry: Telemetry): void {
    this.#telemetry = telemetry
  }

  /** Makes one attempt at a transaction. What it counts becomes true with its commit. */
  async #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const askedAt = performance.now()
    const counted: Counted[] = []
    let begunAt: number | undefined
    let outcome = 'rolled_back'
    try {
      const result = await this.driver.transaction((connection) => {
        begunAt = performance.now()
        return this.#work(new OpenTransaction(connection, counted), work)
      })
      outcome = 'committed'
      return result
    } finally {
      if (begunAt !== undefined) {
        this.#telemetry.time('databaseWaits', {}, (begunAt - askedAt) / 1_000)
        this.#telemetry.time('transactions', { outcome }, secondsSince(begunAt))
      }
      if (outcome === 'committed') for (const { counter, labels } of counted) this.#telemetry.count(counter, labels)
    }
  }

  async #work<T>(tx: OpenTransaction, work: (tx: Transaction) => Promise<T>): Promise<Finished<T>> {
    try {
      const result = await this.#open.run(tx.state, () => work(tx))
      return { result, sent: tx.sent() }
    } catch (error) {
      // After a sent statement has failed, all later ones fail with an uninformative error; this throws the first one.
      await tx.sent()
      throw error
    } finally {
      tx.state.closed = true
    }
  }

  checkUsable(): void {
    if (this.#closing) throw buildUnavailableError('database: closed')
    const state = this.#open.getStore()
    if (state && !state.closed) throw new Error('Inside a transaction only its own tx may be used.')
  }

  #createPrisma(): PrismaClient {
    const prisma = this.driver.createPrisma(() => this.checkUsable())
    const batch = prisma.$transaction.bind(prisma) as (...args: unknown[]) => unknown
    const transaction = (...args: unknown[]): unknown => {
      if (typeof args[0] === 'function') throw new Error('Use Database.transaction instead of an interactive one.')
      return batch(...args)
    }
    const guarded = Object.assign(prisma, { $transaction: transaction as PrismaClient['$transaction'] })
    const translating = guarded.$extends({
      query: { $allOperations: ({ args, query }) => this.#translated(() => query(args)) },
    })
    return translating as unknown as PrismaClient
  }

  async #translated<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task()
    } catch (error) {
      const translation = translateFailure(error)
      if (translation !== error && isUnavailable(translation)) {
        this.#telemetry.count('databaseFailures', { sqlstate: sqlState(error) ?? 'none' })
      }
      throw translation
    }
  }
}

interface Counted {
  readonly counter: CounterName
  readonly labels: CounterLabels<CounterName>
}

/** A transaction's connection, until its end. */
class OpenTransaction implements Transaction {
  readonly inTransaction = true
  readonly state = { closed: false }
  readonly #sent: Promise<unknown>[] = []

  constructor(
    private readonly connection: Queryable,
    private readonly counted: Counted[],
  ) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    if (this.state.closed) return Promise.reject(new Error('The transaction has ended.'))
    return this.connection.query<Row>(statement)
  }

  send(statement: Sql): void {
    const running = this.query(statement)
    running.catch(() => undefined)
    this.#sent.push(running)
  }

  count<C extends CounterName>(counter: C, labels: CounterLabels<C>): void {
    this.counted.push({ counter, labels })
  }

  /** Resolves when all sent statements have run; rejects with the first failure. */
  sent(): Promise<unknown> {
    return Promise.all(this.#sent)
  }
}
