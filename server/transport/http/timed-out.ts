import type { Duplex } from 'node:stream'
import { ServiceError } from '../../base/core/errors'

const timedOut = new WeakSet<Duplex>()

/** Notes that the server ends a connection because its request took too long, before the client has closed it. */
export function noteTimeout(socket: Duplex): void {
  timedOut.add(socket)
}

/** Whether the server has ended the connection because its request took too long. */
export function hasTimedOut(socket: Duplex): boolean {
  return timedOut.has(socket)
}

export const TIMEOUT_TEXT = 'The request took too long.'

/** Returns 408: the request did not arrive within the time limit. */
export const buildTimeoutError = (): ServiceError => new ServiceError('request_timeout', TIMEOUT_TEXT)
