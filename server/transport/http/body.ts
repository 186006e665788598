import type { IncomingMessage } from 'node:http'
import type { Body } from '../../base/contract/endpoint'
import { buildClientGoneError } from '../../base/contract/problem'
import { ServiceError } from '../../base/core/errors'
import { BODY_MAX_BYTES } from './bounds'
import type { Match } from './match'

/** How large a body of this contract may be. */
export function maxBytesOf(body: Body | undefined): number {
  return body !== undefined && 'maxBytes' in body && body.maxBytes !== undefined ? body.maxBytes : BODY_MAX_BYTES
}

/** How large the body of a request may be: as its operation says, and for pages, sign-in and the portal as for the API. */
export function maxBytesFor(matched: Match | null, method: string | undefined): number {
  const operation = matched?.operations.find(({ endpoint }) => endpoint.method === method)
  return maxBytesOf(operation?.endpoint.body)
}

/** Whether the request says that a body follows (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || announcedBytes(headers) > 0
}

/** 413 for a body that says itself that it is too large, before any of it is read. */
export function checkAnnounced({ headers }: IncomingMessage, maxBytes: number): ServiceError | null {
  return announcedBytes(headers) > maxBytes ? buildTooLargeError(maxBytes) : null
}

/** A number beyond 2^53 is not exact, and too large all the same. */
function announcedBytes(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0)
}

function buildTooLargeError(maxBytes: number): ServiceError {
  return new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
}

/**
 * Resolves when the whole body is there, and leaves it to be read. It keeps the bytes before they enter the stream: one that
 * was read from is no body of a `Request` any more, which is what Next makes of it. To be called before any byte has come.
 * @throws 413 as soon as more than `maxBytes` have come; 499 when it is broken off
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
    const breakOff = (cause?: Error) => fail(buildClientGoneError(cause))
    const { push } = request
    const leave = () => Object.assign(request, { push }).off('error', breakOff).off('close', breakOff)
    Object.assign(request, { push: keep }).once('error', breakOff).once('close', breakOff)
  })
}

/** The whole body, whatever of it has come already. @throws as `awaitBody` does, and 413 for one that announces too much */
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
    const breakOff = (cause?: Error) => fail(buildClientGoneError(cause))
    // Paused and not destroyed: the refusal is still to be sent over the connection.
    const leave = () => request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff).pause()
    request.on('data', take).once('end', end).once('error', breakOff).once('close', breakOff)
  })
}
