import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { PrismaPg } from '@prisma/adapter-pg'
import { type ClientBase, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { PrismaClient } from '@/prisma/generated/client'
import type { Queryable } from '../../core/platform'
import { type Sql, sql } from '../../core/sql'
import { type Driver, type Finished, type Session, TransactionAborted } from './driver'
import { isConnectionFailure } from './errors'
import { parserOf, toParameters } from './values'

const CONNECT_TIMEOUT_MILLISECONDS = 3_000
const STATEMENT_TIMEOUT_MILLISECONDS = 5_000
const LOCK_TIMEOUT_MILLISECONDS = 2_000
const IDLE_IN_TRANSACTION_TIMEOUT_MILLISECONDS = 10_000
/** For a server that no longer answers: longer than the server's own timeout, which so applies first. */
const ANSWER_TIMEOUT_MILLISECONDS = 7_000
const MIGRATION_LOCK_TIMEOUT_SECONDS = 60
const MAX_PREPARED_STATEMENTS = 1_000

const types = { getTypeParser: (typeId: number) => parserOf(typeId) } as NonNullable<
  ConstructorParameters<typeof Pool>[0]
>['types']

/** Opens PostgreSQL over the network. Values in the URL's query override the timeouts here. */
export async function openPostgres(databaseUrl: string, poolSize: number): Promise<Driver> {
  return new PostgresDriver(databaseUrl, poolSize)
}

type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void

/** A pool that can refuse a connection to code that already holds one. */
class CheckedPool extends Pool {
  check: () => void = () => undefined

  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    if (!callback) {
      this.check()
      return super.connect()
    }
    try {
      this.check()
    } catch (error) {
      callback(error as Error, undefined, () => undefined)
      return undefined
    }
    super.connect(callback)
    return undefined
  }
}

class PostgresDriver implements Driver {
  readonly kind = 'postgres'
  readonly #pool: CheckedPool
  readonly #statements = new PreparedStatements()

  constructor(databaseUrl: string, poolSize: number) {
    this.#pool = new CheckedPool({
      connectionString: databaseUrl,
      max: poolSize,
      application_name: 'countersign',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
      statement_timeout: STATEMENT_TIMEOUT_MILLISECONDS,
      lock_timeout: LOCK_TIMEOUT_MILLISECONDS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MILLISECONDS,
      query_timeout: ANSWER_TIMEOUT_MILLISECONDS,
      keepAlive: true,
      // Statements of a transaction are sent without waiting for earlier ones, but each still sees their effects.
      pipeline: true,
      types,
      // The pool awaits the returned promise, although its types do not say so.
      onConnect: prepareConnection as (client: ClientBase) => void,
    })
    // A broken connection is reported twice: by the statement that fails, and as an event that would end the process
    // without a listener. The pool replaces the connection.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  async query<Row>(statement: Sql): Promise<Row[]> {
    const { rows } = await this.#pool.query(this.#statements.prepared(statement))
    return rows as Row[]
  }

  async transaction<T>(work: (connection: Queryable) => Promise<Finished<T>>): Promise<T> {
    const client = await this.#pool.connect()
    let broken = false
    try {
      // BEGIN is sent together with the first statement. If the connection fails for it, that statement fails as well.
      const begun = send(client, { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' })
      begun.catch(() => undefined)
      const { result, sent } = await work(this.#queryableOf(client))
      const [{ command }] = await Promise.all([send(client, { text: 'COMMIT' }), begun, sent])
      if (command === 'ROLLBACK') throw new TransactionAborted()
      return result
    } catch (error) {
      broken = !(await rolledBack(client, error))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    const script = async (text: string): Promise<void> => {
      await send(client, { text, ...unlimited })
    }
    try {
      await script(`SET statement_timeout = 0; SET lock_timeout = '${MIGRATION_LOCK_TIMEOUT_SECONDS}s'`)
      return await work({ ...this.#queryableOf(client, unlimited), script })
    } finally {
      // Ends the connection, with its settings and locks.
      client.release(true)
    }
  }

  createPrisma(check: () => void): PrismaClient {
    this.#pool.check = check
    return new PrismaClient({ adapter: new PrismaPg(this.#pool) })
  }

  async dump(): Promise<Blob> {
    throw new Error('Only the embedded database can be dumped; use pg_dump for this one.')
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #queryableOf(client: ClientBase, options: Pick<Statement, 'query_timeout'> = {}): Queryable {
    return {
      query: async <Row>(statement: Sql): Promise<Row[]> => {
        const { rows } = await send(client, { ...this.#statements.prepared(statement), ...options })
        return rows as Row[]
      },
    }
  }
}

/**
 * Sets UTC, because Prisma ignores the offset of timestamps, and READ COMMITTED also outside transactions.
 *
 * Forces generic plans, so that a prepared statement is planned once on each connection: PostgreSQL would plan those
 * with arrays again each time, which takes longer than to run them. The lower page cost favours indexes, as suits
 * tables in memory or on a solid-state disk, because a plan may be made while a table has few rows.
 */
async function prepareConnection(client: ClientBase): Promise<void> {
  await client.query(
    sql`SET timezone = 'UTC'; SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1;
      SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED`,
  )
}

/** The configuration of a query with the timeout, which the types of pg lack. */
interface Statement extends QueryConfig<(string | null)[]> {
  readonly query_timeout?: number
}

/** The longest timer, 25 days, because 0 means the connection's own timeout to pg. */
const unlimited = { query_timeout: 2 ** 31 - 1 }

/**
 * Sends a statement in one write with all others of the same tick, because a write costs as much as the rest of a short
 * statement. Uses the connection of the client, which the types of pg do not show.
 */
function send(client: ClientBase, statement: Statement): Promise<QueryResult> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
  return client.query(statement)
}

/** Rolls back; returns whether the connection is known to be outside a transaction and may be used again. */
async function rolledBack(client: ClientBase, cause: unknown): Promise<boolean> {
  if (cause instanceof TransactionAborted) return true
  // A connection that has failed would not answer a ROLLBACK either.
  if (isConnectionFailure(cause)) return false
  try {
    await client.query(sql`ROLLBACK`)
    return true
  } catch {
    return false
  }
}

/** The statements of one pool. Each is prepared once per connection, under a name made from its text. */
class PreparedStatements {
  readonly #names = new Map<string, string>()

  prepared({ text, values }: Sql): Statement {
    const name = this.#names.get(text) ?? this.#nameOf(text)
    return { text, values: toParameters(values), ...(name !== undefined && { name }) }
  }

  /** Returns the name of a statement; undefined, for no preparation, when a connection should not hold more of them. */
  #nameOf(text: string): string | undefined {
    if (this.#names.size >= MAX_PREPARED_STATEMENTS) return undefined
    const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`
    this.#names.set(text, name)
    return name
  }
}
