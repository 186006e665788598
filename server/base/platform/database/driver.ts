import type { PrismaClient } from '@/prisma/generated/client'
import type { Queryable } from '../../core/platform'

/** One connection outside any transaction, for migrations, which run scripts and hold a lock. */
export interface Session extends Queryable {
  /** Runs several statements, without parameters. */
  script(text: string): Promise<void>
}

/** The result of a transaction's work. A commit needs the statements of `sent`, not yet awaited, to succeed. */
export interface Finished<T> {
  readonly result: T
  readonly sent: Promise<unknown>
}

/** The operations that differ between embedded and served PostgreSQL. Rules for both are in client.ts. */
export interface Driver extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * Makes one attempt: BEGIN, `work`, COMMIT; ROLLBACK when `work` throws or a sent statement fails. Statements run in
   * the order in which they are started.
   */
  transaction<T>(work: (connection: Queryable) => Promise<Finished<T>>): Promise<T>
  /** Runs `work` with exclusive use of one connection, without the statement timeouts of requests. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Creates a client on the same connections. `check` runs before each of its statements and may throw. */
  createPrisma(check: () => void): PrismaClient
  /** Returns the embedded data directory as a tar archive, from which another database can be opened. */
  dump(): Promise<Blob>
  close(): Promise<void>
}

/** Thrown when PostgreSQL answers COMMIT with ROLLBACK, because a statement failed and its error was ignored. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted'
  constructor() {
    super('The transaction was rolled back because one of its statements had failed.')
  }
}
