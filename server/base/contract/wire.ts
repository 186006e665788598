import * as z from 'zod'
import { currencyDigits } from '../core/money'
import { isPlainLine } from '../core/plain-line'

/** An integer amount in the currency's minor unit, exactly representable as a JSON number. */
export const minorUnits = z.int().meta({ id: 'MinorUnits', description: 'Integer amount in minor units (ISO 4217).' })

/** Upper-case ISO 4217 code of a currency that the service knows. */
export const currencyCode = z
  .string()
  .length(3)
  .refine((code) => currencyDigits(code) !== null, { error: 'must be an ISO 4217 currency code in upper case' })
  .meta({ id: 'CurrencyCode', example: 'EUR' })

/** RFC 3339 instant in UTC. */
export const timestamp = z.iso.datetime().meta({ id: 'Timestamp', example: '2026-11-21T17:00:00.000Z' })

/** RFC 3339 instant at any offset; the calendar has no year 0, and neither has PostgreSQL. */
export const instant = z.iso.datetime({ offset: true }).refine((iso) => !iso.startsWith('0000'), {
  error: 'must be in the year 1 or later',
})

/** Text that PostgreSQL can hold and a page can show: no NUL, no lone surrogates. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), {
      error: 'must be well-formed Unicode without NUL',
    })

/** One line without control or override characters, trimmed. */
export const plainLine = (maxLength: number) =>
  text(maxLength).trim().refine(isPlainLine, { error: 'must be plain text' })

/** An identifier in a path: bounded printable ASCII; anything else is simply unknown to us. */
export const pathId = z.string().min(1).max(512)

/** 32 bytes as base64url: the form of our opaque tokens and of SHA-256 digests. */
export const BASE64URL_32_BYTES = /^[\w-]{43}$/

/** 1 to 255 characters of visible ASCII. */
export const visibleAscii = () =>
  z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })

/** A key under which a request is done once, in a body or in the Idempotency-Key header. */
export const idempotencyKey = visibleAscii()

export const lineItem = z
  .strictObject({
    sku: text(200).min(1),
    qty: z.int().min(1).max(1_000_000),
    unit_price_minor: minorUnits.min(0).optional(),
    currency: currencyCode.optional(),
    title: text(300).optional(),
  })
  .meta({ id: 'LineItem' })
export type LineItem = z.output<typeof lineItem>

export const lineItems = z.array(lineItem).min(1).max(200)

/** The error envelope of every refusal but typed validation. */
export const errorEnvelope = z
  .looseObject({ error: z.string(), error_description: z.string(), error_uri: z.string().optional() })
  .meta({ id: 'Error' })

export const validationErrorBody = z
  .object({
    detail: z.array(
      z.object({
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        type: z.string(),
        input: z.unknown().optional(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  })
  .meta({ id: 'ValidationError' })
