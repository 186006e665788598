import { Prisma } from '@/prisma/generated/client'
import { ServiceError } from '../../core/errors'

/** The SQLSTATE and, where known, the constraint of a failed statement. */
interface SqlFailure {
  readonly code: string
  readonly constraint: string | undefined
}

/** The failure of the driver, as an error of Prisma's client describes it. */
interface DriverFailure {
  readonly kind: string
  readonly originalCode?: string
  readonly originalMessage?: string
}

/** Returns the driver's failure behind an error of Prisma's client; null when there is none. */
function driverFailureOf(error: unknown): DriverFailure | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: { cause?: DriverFailure } }
  return driverAdapterError?.cause ?? null
}

const isSqlState = (code: unknown): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)

function sqlFailureOf(error: unknown): SqlFailure | null {
  const { originalCode, originalMessage = '' } = driverFailureOf(error) ?? {}
  if (isSqlState(originalCode)) {
    return { code: originalCode, constraint: /constraint "(\w+)"/.exec(originalMessage)?.[1] }
  }
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null
  if (!isSqlState(error.code)) return null
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  return { code: error.code, constraint }
}

/** Returns the SQLSTATE of an error that the database reported; null for any other error. */
export function sqlState(error: unknown): string | null {
  return sqlFailureOf(error)?.code ?? null
}

/** Whether an error is the violation of a unique key; with `constraint`, of that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = sqlFailureOf(error)
  return failure?.code === '23505' && (constraint === undefined || failure.constraint === constraint)
}

/** Whether an error is a serialization failure or deadlock: the transaction was rolled back and may be tried again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** The database accepts no writes: it became a standby, or its operator made it read-only. */
const READ_ONLY = '25006'

/** Connection exceptions, shutdown, too many connections, out of resources, no writes. */
const unavailableStates = /^(08|53|57P)|^(25006|25P03|25P04|57014|55P03)$/

/** Text that the database cannot store: U+0000, or bytes that are no UTF-8. Only callers' texts can contain these. */
const unstorableTextStates = new Set(['22021', '22P05'])

/**
 * Translates an error of a driver for callers: errors that the database itself reports stay unchanged, so that a store
 * can tell a unique key from a foreign one; a lost, refused or exhausted connection becomes 503.
 */
export function translateFailure(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const state = sqlState(error)
  if (state !== null && unstorableTextStates.has(state)) {
    return new ServiceError('invalid_request', 'A text value contains a character that is not allowed.', {
      cause: error,
    })
  }
  if (state !== null && !unavailableStates.test(state)) return error
  if (state === null && !isConnectionFailure(error)) return error
  return buildUnavailableError(`database: ${state ?? 'connection lost'}`, error)
}

/** Kinds of driver failures, as Prisma's adapters name them. */
const lostConnections = new Set(['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout', 'TooManyConnections'])

/**
 * Whether a driver's error means that the connection failed, not the statement. A read-only connection counts as
 * failed, because it leads to the wrong database.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (sqlState(error) === READ_ONLY) return true
  if (lostConnections.has(driverFailureOf(error)?.kind ?? '')) return true
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code)) return true
  return /connection terminated|connection timeout|timeout exceeded|connection error|read timeout|connection ended/i.test(
    error.message,
  )
}

/** Whether an error says that the database could not do anything. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 503
}

/** Returns 503 with `Retry-After`. */
export function buildUnavailableError(detail: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', 'The service is temporarily unavailable.', {
    detail,
    cause,
    headers: { 'Retry-After': '1' },
  })
}
