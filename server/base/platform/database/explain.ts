import { statfsSync } from 'node:fs'
import { explainFileError, StartFailure } from '../start-failure'
import { isConnectionFailure, sqlState } from './errors'

export interface DatabasePlace {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** Returns the place of the database for people, without password and user. */
export function describePlace({ databaseUrl, dataDir }: DatabasePlace): string {
  if (databaseUrl === null) return `${dataDir}/pg`
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}

/** The SQLSTATEs with which a served database refuses access, which waiting does not change: reason and remedy. */
const refusals: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  '28P01': ['the password is wrong', 'Correct the user or the password in DATABASE_URL.'],
  '28000': ['this user may not connect', 'Correct the user in DATABASE_URL, or allow it in pg_hba.conf.'],
  '3D000': ['there is no such database', 'Create it, or correct the name in DATABASE_URL.'],
  '42501': ['this user lacks a right', 'Let it own the database, or connect as another one.'],
}

const DISK_FULL = '53100'
const DAMAGE = /^XX00[12]$/
const UNKNOWN = 'no answer'
/** The free disk space below which the embedded database may fail to start without saying why. */
const LOW_DISK_BYTES = 64 * 1024 * 1024

/** Returns the first result of `test` for an error and its causes; null when there is none. */
function firstOf<T>(error: unknown, test: (one: unknown) => T | null): T | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const found = test(one)
    if (found !== null) return found
  }
  return null
}

/** Returns why the database cannot be reached now; null when it answers, or when waiting would not help. */
export function absenceOf(error: unknown): string | null {
  const state = firstOf(error, sqlState)
  if (state !== null) return /^(08|57P0|53300)/.test(state) ? `it answers ${state}` : null
  return firstOf(error, (one) => (isConnectionFailure(one) ? reasonOf(one) : null))
}

function reasonOf(error: unknown): string {
  // Node tries every address of a name and reports the failures together, without a message of its own.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  return first instanceof Error && first.message !== '' ? first.message : UNKNOWN
}

/** Converts a failure of the database during the start to a StartFailure; returns any other error as it is. */
export function explainDatabaseError(error: unknown, place: DatabasePlace): unknown {
  if (firstOf(error, (one) => (one instanceof StartFailure ? one : null)) !== null) return error
  const where = describePlace(place)
  const fail = (words: string) => new StartFailure(`The database at ${where} ${words}`, { cause: error })
  const state = firstOf(error, sqlState) ?? ''
  const refusal = refusals[state]
  if (refusal !== undefined) return fail(`refuses the connection: ${refusal.join(` (${state}). `)}`)
  if (state === DISK_FULL) return fail('has no space left on its disk. Free some, then start again.')
  if (DAMAGE.test(state)) return fail(`is damaged (${state}). Restore it from a backup.`)
  const absence = absenceOf(error)
  if (absence !== null) return fail(`was lost: ${absence}. Start again once it answers.`)
  return place.databaseUrl === null ? (firstOf(error, (one) => fileErrorOf(one, place.dataDir)) ?? error) : error
}

function fileErrorOf(error: unknown, dataDir: string): unknown {
  const explained = explainFileError(error, dataDir)
  return explained === error ? null : explained
}

/** Returns an error that says why existing files of an embedded database could not be opened; its own says nothing. */
export function explainUnopened(error: unknown, dataDir: string): unknown {
  const explained = explainFileError(error, dataDir)
  if (explained !== error) return explained
  const { bavail, bsize } = statfsSync(dataDir)
  const where = describePlace({ databaseUrl: null, dataDir })
  if (bavail * bsize < LOW_DISK_BYTES) {
    const free = Math.floor((bavail * bsize) / 1024 / 1024)
    const words = `The database at ${where} cannot be opened: the disk is full, ${free} MiB are free. Free some space, then start again.`
    return new StartFailure(words, { cause: error })
  }
  const words = `The database at ${where} cannot be opened: its files are damaged or not its own. Restore ${dataDir} from a backup, or move it away to begin with an empty one.`
  return new StartFailure(words, { cause: error })
}
