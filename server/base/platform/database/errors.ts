import { Prisma } from '@/prisma/generated/client'
import { ServiceError } from '../../core/errors'

/** What PostgreSQL says about a failed statement. */
interface SqlFailure {
  readonly code: string
  readonly constraint: string | undefined
}

/** What Prisma's client says about the failure that its driver has met. */
interface DriverFailure {
  readonly kind: string
  readonly originalCode?: string
  readonly originalMessage?: string
}

/** The driver's failure behind an error of Prisma's client. */
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

/** The SQLSTATE of an error that the database reported, else null. */
export function sqlState(error: unknown): string | null {
  return sqlFailureOf(error)?.code ?? null
}

/** Whether a unique key refused a row; with `constraint`, whether that one did. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = sqlFailureOf(error)
  return failure?.code === '23505' && (constraint === undefined || failure.constraint === constraint)
}

/** Serialization failure and deadlock: the server has rolled the transaction back and invites another attempt. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** The database takes no writes: it became a standby, or its operator closed it for them. */
const READ_ONLY = '25006'

/** Connection exceptions, shutdown, too many connections, out of resources, no writes. */
const unavailableStates = /^(08|53|57P)|^(25006|25P03|25P04|57014|55P03)$/

/** Text that the database cannot store: U+0000, or bytes that are no UTF-8. Only callers' strings hold these. */
const unstorableTextStates = new Set(['22021', '22P05'])

/**
 * Turns what a driver threw into what callers may see: failures that the database itself reports stay as they are,
 * so that a store can tell a unique key from a foreign one; a lost, refused or exhausted connection becomes 503.
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
 * Whether a driver's error says that the connection, rather than the statement, failed. One on which nothing can be written
 * leads to the wrong database.
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

/** 503 with a hint when to come back. */
export function buildUnavailableError(detail: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', 'The service is temporarily unavailable.', {
    detail,
    cause,
    headers: { 'Retry-After': '1' },
  })
}
