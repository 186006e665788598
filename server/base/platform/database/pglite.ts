import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type messages, PGlite, protocol } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '@/prisma/generated/client'
import type { Queryable } from '../../core/platform'
import type { Sql } from '../../core/sql'
import { type Driver, type Finished, type Session, TransactionAborted } from './driver'
import { DurableFiles } from './durable-files'
import { buildUnavailableError } from './errors'
import { explainUnopened } from './explain'
import { Mutex } from './mutex'
import { parserOf, toParameters } from './values'

const MAX_PREPARED_STATEMENTS = 1_000
const MAX_WAIT_MILLISECONDS = 5_000

/**
 * Settings for plans that suit large tables. A prepared statement is planned once, often while its tables are empty,
 * and keeps its plan when they grow, so it must use an index wherever there is one.
 */
const PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off']

/** Returns parameters of PostgreSQL's command line: the settings for plans, and others. */
const settings = (...others: readonly string[]) => [...PLANS, ...others].flatMap((setting) => ['-c', setting])

interface Statement {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[]
}

/**
 * Opens PostgreSQL inside this process, below a data directory. It has one connection, so transactions and statements
 * take turns.
 *
 * Durability: a commit that was answered survives the end of the process and a power loss (see DurableFiles; `fsync`
 * and `full_page_writes` are on).
 */
export async function openEmbedded(dataDir: string): Promise<Driver> {
  return new EmbeddedDriver(await openDirectory(dataDir))
}

/** Returns the driver of a database in memory, which tests have opened with `inMemorySettings`; nothing of it survives. */
export function driveInMemory(pg: PGlite): Driver {
  return new EmbeddedDriver(pg)
}

/** Returns the start parameters of a database in memory: few shared buffers, since 128 MB would double its start. */
export function inMemorySettings(): string[] {
  return [...PGlite.defaultStartParams, ...settings('shared_buffers=16MB')]
}

async function openDirectory(dataDir: string): Promise<PGlite> {
  const directory = join(dataDir, 'pg')
  const unfinished = join(dataDir, 'pg-unfinished')
  // Creating a cluster takes seconds. One whose creation was interrupted cannot be opened and holds no data.
  if (existsSync(unfinished)) rmSync(directory, { recursive: true, force: true })
  const isNew = !existsSync(directory)
  if (isNew) {
    writeFileSync(unfinished, '')
    mkdirSync(directory, { mode: 0o700 })
  }
  const startParams = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  const files = new DurableFiles(directory)
  const pg = await PGlite.create({
    fs: files,
    // A small WAL, because the next start after a crash replays it.
    startParams: [...startParams, ...settings('wal_sync_method=fsync', 'max_wal_size=128MB')],
  }).catch((error: unknown) => {
    throw explainUnopened(error, dataDir)
  })
  if (isNew) rmSync(unfinished)
  // Everything that is sent to the database goes through this method.
  const send = pg.execProtocolRawSync.bind(pg)
  pg.execProtocolRawSync = (message) => {
    files.checkUsable()
    const reply = send(message)
    files.checkUsable()
    return reply
  }
  return pg
}

class EmbeddedDriver implements Driver {
  readonly kind = 'embedded'
  readonly #statements = new Map<string, Statement>()
  readonly #turn = new Mutex(MAX_WAIT_MILLISECONDS, () =>
    buildUnavailableError('embedded database: the turn did not come in time'),
  )
  readonly #connection: Queryable

  constructor(private readonly pg: PGlite) {
    this.#connection = { query: (statement) => this.#run(statement) }
  }

  query<Row>(statement: Sql): Promise<Row[]> {
    return this.#turn.run(() => this.#run<Row>(statement))
  }

  transaction<T>(work: (connection: Queryable) => Promise<Finished<T>>): Promise<T> {
    return this.#turn.run(async () => {
      await this.pg.exec('BEGIN ISOLATION LEVEL READ COMMITTED')
      const connection = new OneAtATime(this.#connection)
      let result: T
      try {
        const finished = await work(connection)
        await finished.sent
        result = finished.result
      } catch (error) {
        await connection.settled()
        await this.pg.exec('ROLLBACK')
        throw error
      }
      const aborted = await this.#commit()
      if (aborted) throw new TransactionAborted()
      return result
    })
  }

  session<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const script = async (text: string): Promise<void> => {
      await this.pg.exec(text)
    }
    return this.#turn.run(async () => {
      try {
        return await work({ ...this.#connection, script })
      } finally {
        // Prepared statements fail after their tables have been changed.
        await this.pg.exec('DEALLOCATE ALL')
        this.#statements.clear()
      }
    })
  }

  createPrisma(check: () => void): PrismaClient {
    const guarded = <T>(task: () => Promise<T>): Promise<T> => {
      check()
      return this.#turn.run(task)
    }
    const client: Pick<PGlite, 'query' | 'exec' | 'transaction'> = {
      query: (...args) => guarded(() => this.pg.query(...args)),
      exec: (...args) => guarded(() => this.pg.exec(...args)),
      transaction: (work) => guarded(() => this.pg.transaction(work)),
    }
    return new PrismaClient({ adapter: new PrismaPGlite(client as PGlite) })
  }

  dump(): Promise<Blob> {
    return this.#turn.run(() => this.pg.dumpDataDir('none'))
  }

  close(): Promise<void> {
    return this.#turn.run(() => this.pg.close())
  }

  /** Whether the server rolled back instead, because a statement had failed before. */
  async #commit(): Promise<boolean> {
    const replies = await this.#send([protocol.serialize.query('COMMIT')])
    return replies.some((reply) => reply.name === 'commandComplete' && commandOf(reply) === 'ROLLBACK')
  }

  async #run<Row>({ text, values }: Sql): Promise<Row[]> {
    const statement = this.#statements.get(text) ?? (await this.#prepare(text))
    const replies = await this.#send([
      protocol.serialize.bind({ statement: statement.name, values: toParameters(values) }),
      protocol.serialize.execute({}),
      protocol.serialize.sync(),
    ])
    return replies.filter((reply) => reply.name === 'dataRow').map((reply) => toRow<Row>(reply, statement))
  }

  async #prepare(text: string): Promise<Statement> {
    const named = this.#statements.size < MAX_PREPARED_STATEMENTS
    const name = named ? `s${this.#statements.size}` : ''
    const replies = await this.#send([
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: 'S', name }),
      protocol.serialize.sync(),
    ])
    const description = replies.find((reply) => reply.name === 'rowDescription')
    const statement = { name, columns: description ? columnsOf(description) : [] }
    if (named) this.#statements.set(text, statement)
    return statement
  }

  #send(parts: readonly Uint8Array[]): Promise<messages.BackendMessage[]> {
    // Exclusive, because the replies of two overlapping calls would mix.
    return this.pg.runExclusive(() => this.pg.execProtocolStream(Buffer.concat(parts), { syncToFs: false }))
  }
}

/** Runs statements one after the other, also when they are started together. */
class OneAtATime implements Queryable {
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly connection: Queryable) {}

  query<Row>(statement: Sql): Promise<Row[]> {
    const next = this.#last.then(() => this.connection.query<Row>(statement))
    this.#last = next.catch(() => undefined)
    return next
  }

  async settled(): Promise<void> {
    await this.#last
  }
}

function columnsOf(description: messages.BackendMessage): Statement['columns'] {
  const { fields } = description as messages.RowDescriptionMessage
  return fields.map((field) => ({ name: field.name, parse: parserOf(field.dataTypeID) }))
}

function commandOf(reply: messages.BackendMessage): string {
  return (reply as messages.CommandCompleteMessage).text
}

function toRow<Row>(reply: messages.BackendMessage, statement: Statement): Row {
  const { fields } = reply as messages.DataRowMessage
  const entries = statement.columns.map(({ name, parse }, index) => {
    const text = fields[index]
    return [name, text === null || text === undefined ? null : parse(text)]
  })
  return Object.fromEntries(entries)
}
