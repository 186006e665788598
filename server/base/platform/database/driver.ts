import type { PrismaClient } from '@/prisma/generated/client'
import type { Queryable } from '../../core/platform'

/** One connection outside any transaction: for migrations, which run scripts and hold a lock. */
export interface Session extends Queryable {
  /** Runs several statements, without parameters. */
  script(text: string): Promise<void>
}

/** What a transaction has come to. It may be committed once `sent` resolves, which nobody has waited for yet. */
export interface Finished<T> {
  readonly result: T
  readonly sent: Promise<unknown>
}

/** What differs between the embedded and the served PostgreSQL. Rules that hold for both live in client.ts. */
export interface Driver extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * One attempt: BEGIN, `work`, COMMIT; ROLLBACK when `work` throws or what it sent fails. Statements run in the order in
   * which they are started.
   */
  transaction<T>(work: (connection: Queryable) => Promise<Finished<T>>): Promise<T>
  /** Exclusive use of one connection, without the statement timeouts of requests. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** A new client on the same connections. `check` runs before each of its statements and may throw. */
  createPrisma(check: () => void): PrismaClient
  /** The embedded data directory as a tar archive, to open another database from. */
  dump(): Promise<Blob>
  close(): Promise<void>
}

/** PostgreSQL answers COMMIT with ROLLBACK when a statement failed and its error was swallowed. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted'
  constructor() {
    super('The transaction was rolled back because one of its statements had failed.')
  }
}
