import * as z from 'zod'
import { Refusal, type RefusedAnswer, TransportFailure } from '../errors.js'
import { isJsonObject, type JsonObject } from '../json.js'
import type { OutboundReply } from './outbound.js'

const ERROR_CODE = /^[A-Za-z0-9_.-]{1,64}$/
/** The codes accepted from merchants; any other could be arbitrary text. */
const MERCHANT_CODES: ReadonlySet<string> = new Set([
  'mandate_audience_mismatch',
  'mandate_kb_nonce_mismatch',
  'mandate_status_revoked',
  'mandate_expired',
  'mandate_invalid',
  'mandate_consumed',
  'offer_digest_mismatch',
  'invalid_request',
  'invalid_token',
  'use_dpop_nonce',
  'not_found',
  'forbidden',
  'limit_exceeded',
  'limit_currency_mismatch',
  'card_required',
  'payment_declined',
  'step_up_required',
  'idempotency_conflict',
  'idempotency_in_flight',
  'rate_limited',
  'server_error',
  'bad_gateway',
  'service_unavailable',
])
/** The reasons for a failed payment that are accepted from merchants: those that the authorization server names. */
const MERCHANT_REASONS: ReadonlySet<string> = new Set([
  'amount_not_supported',
  'authentication_required',
  'authorization_withdrawn',
  'canceled',
  'card_declined',
  'currency_not_supported',
  'expired_card',
  'insufficient_funds',
  'payment_intent_authentication_failure',
  'processor_error',
  'processor_unavailable',
  'wrong_amount',
])
/** Text as long and dense as a token. */
const TOKEN_LIKE = /[A-Za-z0-9_~.-]{40,}/g
const DESCRIPTION_MAX_CHARS = 300

/** A place where a request does not match the server's schema, and why. */
const requestIssue = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })

/**
 * Describes an error response. Of the texts of an untrusted peer, only known codes and reasons are returned, since any
 * other text would reach a model.
 */
export function describeRefusal(reply: OutboundReply, trusted: boolean): RefusedAnswer {
  const body = isJsonObject(reply.json) ? reply.json : {}
  const { error } = body
  return {
    status: reply.status,
    code: typeof error === 'string' && isCode(error, trusted) ? error : undefined,
    description: trusted ? describe(body) : describeDecline(error, body['failure']),
    retryAfterMs: retryAfterMs(reply),
  }
}

const isCode = (error: string, trusted: boolean): boolean =>
  trusted ? ERROR_CODE.test(error) : MERCHANT_CODES.has(error)

/** Returns the description or the first issue of the request and, when a card was declined, the reason. */
function describe({ error_description: description, detail, failure }: JsonObject): string | undefined {
  const code = isJsonObject(failure) ? failure['code'] : undefined
  const reason = typeof code === 'string' && ERROR_CODE.test(code) ? `(${code})` : undefined
  const words = typeof description === 'string' ? printable(description) : describeIssue(detail)
  const said = [words, reason].filter((part) => part !== undefined)
  return said.length === 0 ? undefined : said.join(' ')
}

function describeIssue(detail: unknown): string | undefined {
  const { data: issue } = requestIssue.safeParse(Array.isArray(detail) ? detail[0] : undefined)
  if (issue === undefined) return undefined
  const place = issue.loc.slice(1).join('.')
  return printable(place === '' ? issue.msg : `${place}: ${issue.msg}`)
}

/** Returns the reason that a merchant names for a declined card, if it is a known one. */
function describeDecline(error: unknown, failure: unknown): string | undefined {
  const reason = error === 'payment_declined' && isJsonObject(failure) ? failure['code'] : undefined
  return typeof reason === 'string' && MERCHANT_REASONS.has(reason) ? `The payment failed. (${reason})` : undefined
}

/** Returns the checked body of a successful response; throws a {@link Refusal} that names the step otherwise. */
export function expectReply<T>(reply: OutboundReply, expected: ExpectedReply<T>): T {
  if (reply.status < 200 || reply.status > 299) {
    throw new Refusal(expected.step, describeRefusal(reply, expected.trusted ?? true))
  }
  const parsed = expected.schema.safeParse(reply.json)
  if (!parsed.success) throw new TransportFailure(`the answer to ${expected.step || 'the request'} is malformed`)
  return parsed.data
}

/** The step that failures name, and the schema of the response. */
export interface ExpectedReply<T> {
  readonly step: string
  readonly schema: z.ZodType<T>
  /** Whether the peer's own texts may be displayed. */
  readonly trusted?: boolean
}

/**
 * Returns the pause that the peer asks for, in milliseconds.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3}
 */
function retryAfterMs(reply: OutboundReply): number | undefined {
  const value = reply.headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Returns the text as one line of printable characters without anything like a token, cut to a length. */
export function printable(text: string, maxChars = DESCRIPTION_MAX_CHARS): string {
  const oneLine = text.replace(/[^\x20-\x7E]+/g, ' ').replace(TOKEN_LIKE, '[…]')
  return oneLine.slice(0, maxChars)
}
