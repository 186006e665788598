import type * as z from 'zod'
import { Refusal, type RefusedAnswer, TransportFailure } from '../errors.js'
import { isJsonObject } from '../json.js'
import type { OutboundReply } from './outbound.js'

const ERROR_CODE = /^[A-Za-z0-9_.-]{1,64}$/
/** Anything as long and dense as a token. */
const TOKEN_LIKE = /[A-Za-z0-9_~.-]{40,}/g
const DESCRIPTION_MAX_CHARS = 300

/** What a refusing answer says. Words of strangers are left out: they would reach a model as text. */
export function describeRefusal(reply: OutboundReply, trusted: boolean): RefusedAnswer {
  const body = isJsonObject(reply.json) ? reply.json : {}
  const { error, error_description: description } = body
  return {
    status: reply.status,
    code: typeof error === 'string' && ERROR_CODE.test(error) ? error : undefined,
    description: trusted && typeof description === 'string' ? printable(description) : undefined,
    retryAfterMs: retryAfterMs(reply),
  }
}

/** The body of an answer of the expected status, checked; else a {@link Refusal} that names the step. */
export function expectReply<T>(reply: OutboundReply, expected: ExpectedReply<T>): T {
  if (reply.status < 200 || reply.status > 299) {
    throw new Refusal(expected.step, describeRefusal(reply, expected.trusted ?? true))
  }
  const parsed = expected.schema.safeParse(reply.json)
  if (!parsed.success) throw new TransportFailure(`the answer to ${expected.step || 'the request'} is malformed`)
  return parsed.data
}

/** What an answer must look like. */
export interface ExpectedReply<T> {
  readonly step: string
  readonly schema: z.ZodType<T>
  /** Whether the peer's own words may be shown. */
  readonly trusted?: boolean
}

/** The pause that the peer asks for. @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3} */
function retryAfterMs(reply: OutboundReply): number | undefined {
  const value = reply.headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function printable(text: string): string {
  const oneLine = text.replace(/[^\x20-\x7E]+/g, ' ').replace(TOKEN_LIKE, '[…]')
  return oneLine.slice(0, DESCRIPTION_MAX_CHARS)
}
