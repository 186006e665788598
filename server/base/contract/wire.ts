import * as z from 'zod'
import { freeTextRefusal, isArticleNumber, isPlainLine, NO_PLAIN_LINE } from '../core/free-text'
import { currencyDigits } from '../core/money'
import { MAIL_ADDRESS_MAX } from '../core/sign-in-input'

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

/** RFC 3339 instant at any offset; in UTC the calendar has no year 0, and dates here have no year of five digits. */
export const instant = z.iso.datetime({ offset: true }).refine((iso) => isYearInRange(new Date(iso).getUTCFullYear()), {
  error: 'must be in the years 1 to 9999 in UTC',
})

const isYearInRange = (year: number): boolean => year >= 1 && year <= 9_999

/** Returns the schema of a text that PostgreSQL can store and a page can show: no NUL, no lone surrogates. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), {
      error: 'must be well-formed Unicode without NUL',
    })

/** Returns the schema of an identifier of one of this service's objects in a body; not blank. */
export const identifier = (maxLength: number) =>
  text(maxLength).refine((value) => value.trim() !== '', { error: 'must not be blank' })

/** The error message for a text that {@link freeText} refuses. */
const refusedText = {
  error: ({ input }: { input?: unknown }) => freeTextRefusal(String(input)) ?? 'must be plain text',
}

/** Returns the schema of a text that is shown to people: one plain line without card numbers. */
export const freeText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => freeTextRefusal(value) === null, refusedText)

/** {@link freeText} for a text that a person types; it is trimmed. */
export const plainLine = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((value) => freeTextRefusal(value) === null, refusedText)

/** Returns the schema of another party's identifier, shown to people: one plain line, not searched for card numbers. */
export const shownIdentifier = (maxLength: number) =>
  z.string().min(1).max(maxLength).refine(isPlainLine, { error: NO_PLAIN_LINE })

/** Returns the schema of a merchant's code of an article or offer, shown to people. It may be a GTIN. */
export const merchantCode = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((value) => isArticleNumber(value) || freeTextRefusal(value) === null, refusedText)

/** A dot-atom (RFC 5322 section 3.2.3) at a host of two labels or more, the last of which begins with a letter. */
const ADDR_SPEC =
  /^[!#-'*+/-9=?A-Z^-~-]+(?:\.[!#-'*+/-9=?A-Z^-~-]+)*@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z][A-Za-z\d-]{0,61}[A-Za-z\d]$/

/** A mail address without quotes and comments. */
export const mailAddress = z.email({ pattern: ADDR_SPEC }).max(MAIL_ADDRESS_MAX)

/** An identifier in a path: 1 to 512 characters. */
export const pathId = z.string().min(1).max(512)

/** 32 bytes as base64url: the form of opaque tokens and of SHA-256 digests. */
export const BASE64URL_32_BYTES = /^[\w-]{43}$/

/** Returns the schema of 1 to 255 characters of visible ASCII. */
export const visibleAscii = () =>
  z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 visible ASCII characters' })

/** The key under which a request runs only once, in a body. */
export const idempotencyKey = identifier(255).min(1)

const itemTerms = {
  qty: z.int().min(1).max(1_000_000),
  unit_price_minor: minorUnits.min(0).optional(),
  currency: currencyCode.optional(),
}

/** A line item as it is stored; older ones may break the present rules for texts. */
export const lineItem = z
  .strictObject({ sku: text(200).min(1), ...itemTerms, title: text(300).optional() })
  .meta({ id: 'LineItem' })
export type LineItem = z.output<typeof lineItem>

/** The line items of a request. */
export const lineItems = z
  .array(
    z
      .strictObject({ sku: merchantCode(200), ...itemTerms, title: freeText(300).optional() })
      .meta({ id: 'OrderedItem' }),
  )
  .min(1)
  .max(200)

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

/** {@link validationErrorBody} with OAuth's members. */
export const oauthValidationErrorBody = validationErrorBody
  .extend(errorEnvelope.shape)
  .meta({ id: 'OAuthValidationError' })
