import { DocumentError, type KeySet, type SignedDocument, UnknownKey, verifyDocument } from './documents.ts'
import { isJsonObject, type JsonObject } from './encoding.ts'
import type { Findings, Part } from './findings.ts'
import { parseUrl } from './parse-url.ts'

/**
 * The largest difference between the clocks of two server processes: each starts at most a minute from the database's.
 */
export const CLOCK_TOLERANCE_SECONDS = 120

/** A time that one part names, to check the order of events. Seconds since 1970. */
interface Moment {
  readonly what: string
  readonly part: Part
  readonly at: number
}

/** The pack and the state that all checks share. */
export interface Context {
  readonly pack: JsonObject
  /** The issuer; null when nothing says which server made the pack. */
  readonly issuer: string | null
  /** The keys that check signatures; null when there are none. */
  readonly keys: KeySet | null
  readonly findings: Findings
  readonly moments: Moment[]
}

/** Reads a member of the pack that is an object; returns null and notes what is unproven when it was left out. */
export function readPart(context: Context, name: Part, unproven: string): JsonObject | null {
  const value = context.pack[name]
  if (value === undefined) context.findings.missing(name, `The pack has no ${name}: ${unproven}`)
  else if (!isJsonObject(value)) context.findings.wrong(name, `The ${name} is not as packs have it.`)
  return isJsonObject(value) ? value : null
}

/** Verifies a document of the server in a part; returns null and notes the fault when it does not verify. */
export async function openDocument(
  { keys, findings }: Context,
  part: Part,
  { jws, typ, name }: { readonly jws: unknown; readonly typ: string; readonly name: string },
): Promise<SignedDocument | null> {
  if (jws === undefined || keys === null) {
    findings.missing(part, `The ${name} ${jws === undefined ? 'was left out' : 'cannot be checked without keys'}.`)
    return null
  }
  try {
    if (typeof jws !== 'string') throw new DocumentError('is not a text.')
    return await verifyDocument(jws, typ, keys)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    if (error instanceof UnknownKey)
      findings.missing('keys', `The key ${error.kid} of the ${name} is not among the keys.`)
    findings.wrong(part, `The ${name} ${error.message}`)
    return null
  }
}

/** Notes a moment, given as RFC 3339 text or in seconds. */
export function noteMoment(context: Context, part: Part, what: string, at: unknown): void {
  const seconds = typeof at === 'number' ? at : Math.floor(Date.parse(String(at)) / 1000)
  if (context.findings.require(part, Number.isSafeInteger(seconds), `The ${part} does not say when ${what}.`)) {
    context.moments.push({ what, part, at: seconds })
  }
}

/**
 * Checks that the noted times are in the order in which the events must follow one another, with a tolerance for
 * clocks.
 */
export function compareMoments({ moments, findings }: Context): void {
  let latest = moments[0]
  for (const moment of moments) {
    const { what, part, at } = moment
    const early = (latest?.at ?? at) - at
    if (early > CLOCK_TOLERANCE_SECONDS) findings.wrong(part, `By the ${part} ${what} before ${latest?.what}.`)
    if (early <= 0) latest = moment
  }
}

/** Returns the canonical form of a merchant's address, as the server's canonical audience. */
export function canonicalMerchant(address: unknown): unknown {
  const url = typeof address === 'string' ? parseUrl(address) : null
  if (url === null) return address
  const { protocol, host, pathname } = url
  const path = pathname.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
  return `${protocol}//${host.replace(/\.(?=:|$)/, '')}${path.replace(/\/$/, '')}`
}
