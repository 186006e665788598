import type * as z from 'zod'
import { buildMethodNotAllowedError, CLIENT_GONE_STATUS } from '../../base/contract/problem'
import { REQUEST_ID_HEADER } from '../../base/contract/request-headers'
import type { WalletCall } from '../../base/core/call'
import { millisecondsSince } from '../../base/core/elapsed'
import { ServiceError } from '../../base/core/errors'
import { noteAnswer } from '../../base/core/note-answer'
import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import { getPlatform } from '../../base/platform/container'
import { requireOwnOrigin } from '../../identity/sessions'
import { writeEvidenceJson } from '../../surfaces/evidence'
import {
  activityFilter,
  paymentSelection,
  readPaymentProcedure,
  writeActivityJson,
  writePaymentsCsv,
} from '../../surfaces/portal'
import { callerFields, createContext } from './context'
import { callOf } from './procedures'
import { errorResponse, type RequestFields } from './refusal'

/** A file that the signed-in person may download. */
interface Download<S extends z.ZodType> {
  readonly operation: string
  readonly fileName: (day: string) => string
  readonly contentType: string
  /** The page with the download, to which a person returns after signing in. */
  readonly page: string
  readonly selection: S
  readonly write: (call: WalletCall, selection: z.output<S>) => AsyncGenerator<string, void>
}

const PER_MINUTE = 10

/** GET /payments.csv: the payments that the query selects, as in the list. Never throws. */
export const answerPaymentsCsv = downloadOf({
  operation: 'paymentsCsv',
  fileName: (day) => `payments-${day}.csv`,
  contentType: 'text/csv; charset=utf-8; header=present',
  page: '/payments',
  selection: paymentSelection,
  write: writePaymentsCsv,
})

/** GET /activity.json: the audit entries that the query selects, with a signed checkpoint. Never throws. */
export const answerActivityJson = downloadOf({
  operation: 'activityJson',
  fileName: (day) => `activity-${day}.json`,
  contentType: 'application/json',
  page: '/activity',
  selection: activityFilter,
  write: writeActivityJson,
})

/** GET /evidence.json: the evidence of the payment whose `id` is in the query. Never throws. */
export const answerEvidenceJson = downloadOf({
  operation: 'evidenceJson',
  fileName: (day) => `evidence-${day}.json`,
  contentType: 'application/json',
  page: '/payments',
  selection: readPaymentProcedure.input,
  write: writeEvidenceJson,
})

function downloadOf<S extends z.ZodType>(download: Download<S>): (request: Request) => Promise<Response> {
  return async (request) => {
    const platform = getPlatform()
    const requestId = platform.random.uuid()
    const started = performance.now()
    const fields: RequestFields = {}
    const response = await attempt(download, request, { platform, requestId, fields })
    const { operation } = download
    const status = request.signal.aborted ? CLIENT_GONE_STATUS : response.status
    const ms = millisecondsSince(started)
    const { error, ...logged } = fields
    noteAnswer(platform, { requestId, operation, method: request.method, status, ms, error }, logged)
    response.headers.set('cache-control', 'no-store')
    response.headers.set('x-content-type-options', 'nosniff')
    response.headers.set(REQUEST_ID_HEADER, requestId)
    return response
  }
}

interface RequestContext {
  readonly platform: Platform
  readonly requestId: string
}

async function attempt<S extends z.ZodType>(
  download: Download<S>,
  request: Request,
  { platform, requestId, fields }: RequestContext & { readonly fields: RequestFields },
): Promise<Response> {
  try {
    if (request.method !== 'GET') throw buildMethodNotAllowedError('GET')
    requireOwnOrigin(request.headers, platform.config.baseUrl)
    const context = await createContext(platform, { headers: request.headers, requestId })
    Object.assign(fields, callerFields(context.session))
    if (context.session === null) return signInFirst(download.page)
    const selection = readSelection(download.selection, new URL(request.url).searchParams)
    await takeQuota(platform.rateLimits, {
      key: `${platform.config.baseUrl} ${download.operation} ${context.session.principalId}`,
      limit: PER_MINUTE,
      windowSeconds: 60,
      message: `At most ${PER_MINUTE} downloads in a minute.`,
    })
    const chunks = await begin(download.write(callOf(context, context.session), selection))
    const day = platform.clock.now().toISOString().slice(0, 10)
    const headers = {
      'content-type': download.contentType,
      'content-disposition': `attachment; filename="${download.fileName(day)}"`,
    }
    return new Response(streamOf(chunks, { platform, requestId }), { headers })
  } catch (error) {
    return errorResponse(error, fields, (fault) => platform.log.error('download failed', { requestId }, fault))
  }
}

/** Redirects a request without a session to the sign-in page, since it comes from a person who followed a link. */
function signInFirst(page: string): Response {
  return new Response(null, { status: 303, headers: { location: `/sign-in?next=${encodeURIComponent(page)}` } })
}

function readSelection<S extends z.ZodType>(schema: S, query: URLSearchParams): z.output<S> {
  const result = schema.safeParse(Object.fromEntries(query))
  if (result.success) return result.data
  throw new ServiceError('invalid_request', 'The selection is not valid.', { cause: result.error })
}

/** Reads the first chunk, so that a refusal becomes an error response and not a file that breaks off. */
async function begin(chunks: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await chunks.next()
  return resume(first.done === true ? null : first.value, chunks)
}

async function* resume(first: string | null, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  try {
    if (first !== null) yield first
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Returns a stream that reads chunks as fast as the client receives them, and stops when it disconnects. */
function streamOf(chunks: AsyncGenerator<string, void>, { platform, requestId }: RequestContext): ReadableStream {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        // Fails the stream, so that an incomplete file does not look complete.
        platform.log.error('download failed', { requestId }, error)
        controller.error(error)
      }
    },
    async cancel() {
      await chunks.return()
    },
  })
}
