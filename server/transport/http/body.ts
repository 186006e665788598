import type { IncomingMessage } from 'node:http'
import type { Body } from '../../base/contract/endpoint'
import { buildClientGoneError } from '../../base/contract/problem'
import { type ErrorCode, ServiceError } from '../../base/core/errors'
import { BODY_MAX_BYTES } from './bounds'
import type { Match } from './match'
import { buildTimeoutError, hasTimedOut } from './timed-out'

/** Returns the size limit of a body of this contract. */
export function maxBytesOf(body: Body | undefined): number {
  return body !== undefined && 'maxBytes' in body && body.maxBytes !== undefined ? body.maxBytes : BODY_MAX_BYTES
}

/** Returns the size limit of a request's body: that of its operation, else the default, as for pages and the portal. */
export function maxBytesFor(matched: Match | null, method: string | undefined): number {
  const operation = matched?.operations.find(({ endpoint }) => endpoint.method === method)
  return maxBytesOf(operation?.endpoint.body)
}

/** Whether the headers announce a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || announcedBytes(headers) > 0
}

/** Returns 413 when the announced length of the body is too large; null otherwise. */
export function checkAnnounced({ headers }: IncomingMessage, maxBytes: number): ServiceError | null {
  return announcedBytes(headers) > maxBytes ? buildTooLargeError(maxBytes) : null
}

/** Returns the announced length; one beyond 2^53 is not exact, but too large in any case. */
function announcedBytes(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0)
}

function buildTooLargeError(maxBytes: number): ServiceError {
  return new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
}

/** Returns the refusal of a body in a content coding (RFC 9110 section 8.4.1), which nothing here undoes; else null. */
export function checkCoding(coding: string | null, code: ErrorCode = 'unsupported_media_type'): ServiceError | null {
  if (['', 'identity'].includes(coding?.trim().toLowerCase() ?? '')) return null
  const headers = { 'accept-encoding': 'identity' }
  return new ServiceError(code, 'The body must be sent without a Content-Encoding.', { headers })
}

/** Returns the error for a body that ended too early: by the server's time limit, or by its client. */
const buildBrokenOffError = ({ socket }: IncomingMessage, cause?: Error): ServiceError =>
  hasTimedOut(socket) ? buildTimeoutError() : buildClientGoneError(cause)

/**
 * Resolves when the whole body has arrived, without reading it from the stream: Next makes a `Request` of it, which
 * needs an unread stream, so the bytes are kept until they enter it. Call it before any byte has arrived.
 * @throws 413 as soon as more than `maxBytes` have arrived; 408 when the rest is too late, 499 when the body breaks off
 */
export function awaitBody(request: IncomingMessage, maxBytes: number): Promise<void> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const keep = (chunk: Buffer | null): boolean => {
      size += chunk?.length ?? 0
      if (size > maxBytes) fail(buildTooLargeError(maxBytes))
      else if (chunk !== null) chunks.push(chunk)
      else end()
      return true
    }
    const end = () => {
      leave()
      for (const chunk of chunks) request.push(chunk)
      request.push(null)
      resolve()
    }
    const fail = (error: Error) => {
      leave()
      reject(error)
    }
    const breakOff = (cause?: Error) => fail(buildBrokenOffError(request, cause))
    const { push } = request
    const leave = () => Object.assign(request, { push }).off('error', breakOff).off('close', breakOff)
    Object.assign(request, { push: keep }).once('error', breakOff).once('close', breakOff)
  })
}

/** Reads the whole body. @throws as `awaitBody` does, and 413 for an announced length that is too large */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = checkAnnounced(request, maxBytes)
  if (announced !== null) return Promise.reject(announced)
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail(buildTooLargeError(maxBytes))
      else chunks.push(chunk)
    }
    const end = () => {
      leave()
      resolve(Buffer.concat(chunks))
    }
    const fail = (error: Error) => {
      leave()
      reject(error)
    }
    const breakOff = (cause?: Error) => fail(buildBrokenOffError(request, cause))
    // Paused and not destroyed, because the refusal must still be sent over the connection.
    const leave = () => request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff).pause()
    request.on('data', take).once('end', end).once('error', breakOff).once('close', breakOff)
  })
}
