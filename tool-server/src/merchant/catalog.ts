import {
  requireBodyDigest,
  SignatureRejected,
  type StoreKey,
  verifyResponseSignature,
} from '../crypto/message-signature.js'
import { requireSignedFields } from '../discovery/signed-fields.js'
import { Cancelled, CountersignError } from '../errors.js'
import type { OutboundReply, SendRequest } from '../http/outbound.js'
import { MERCHANT_RESPONSE_MAX_BYTES } from '../limits.js'
import { keySet, readVouchedKeys } from './vouched-keys.js'
import { type Catalog, type CatalogItem, catalog, catalogItem } from './wire.js'

/** The store to read, and the means to read it. */
export interface StoreVisit {
  readonly storeUrl: string
  /** The authorization server, which knows the keys of stores that its federation has verified. */
  readonly issuer: string
  readonly send: SendRequest
  readonly signal: AbortSignal
}

const CATALOG_PATH = '/.well-known/oid4ac-catalog'
const KEYS_PATH = '/jwks.json'

/**
 * Reads a store's whole catalog and verifies its digest and signature over the bytes as received. Its merchant is the
 * store's URL, with or without a slash at the end.
 * @throws CountersignError `catalog 404`, `catalog 502` or `rejected upstream catalog (<reason>)`
 */
export async function readCatalog(visit: StoreVisit): Promise<Catalog> {
  const base = withoutSlash(visit.storeUrl)
  const url = base + CATALOG_PATH
  const reply = await fetchFromStore(visit, url)
  if (reply.status === 404) throw new CountersignError('catalog 404', 'This store has no catalog.')
  if (reply.status !== 200) throw unreadable()
  await verifyCatalog(visit, { base, url, reply })
  const parsed = catalog.safeParse(reply.json)
  if (!parsed.success) throw unreadable()
  if (![base, `${base}/`].includes(parsed.data.merchant)) throw rejected('another merchant')
  return parsed.data
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Returns the items of a catalog that match the schema; others are ignored. */
export const itemsOf = ({ items }: Catalog): CatalogItem[] =>
  items.flatMap((item) => catalogItem.safeParse(item).data ?? [])

interface Answered {
  readonly base: string
  readonly url: string
  readonly reply: OutboundReply
}

async function verifyCatalog(visit: StoreVisit, { base, url, reply }: Answered): Promise<void> {
  const { headers } = reply
  requireSignedFields({
    signature: headers['signature'],
    signature_input: headers['signature-input'],
    content_digest: headers['content-digest'],
  })
  const response = { ...reply, url }
  try {
    requireBodyDigest(response)
    await verifyResponseSignature(response, await findKeys(visit, base))
  } catch (error) {
    throw error instanceof SignatureRejected ? rejected(error.message) : error
  }
}

/**
 * Returns the store's keys from the federation if it knows the store, none while it is not verified; otherwise those
 * that the store serves.
 */
async function findKeys(visit: StoreVisit, base: string): Promise<StoreKey[]> {
  const { storeUrl: merchant, issuer, signal } = visit
  return (await orUnreadable(readVouchedKeys({ merchant, issuer, signal }))) ?? readKeys(visit, base + KEYS_PATH)
}

async function readKeys(visit: StoreVisit, url: string): Promise<StoreKey[]> {
  const { status, json } = await fetchFromStore(visit, url)
  const parsed = keySet.safeParse(json)
  if (status !== 200 || !parsed.success) throw rejected('no keys of the store')
  return parsed.data
}

const fetchFromStore = ({ send, signal }: StoreVisit, url: string): Promise<OutboundReply> =>
  orUnreadable(send({ method: 'GET', url, signal, maxBytes: MERCHANT_RESPONSE_MAX_BYTES }))

async function orUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Cancelled) throw error
    throw unreadable()
  }
}

const unreadable = () => new CountersignError('catalog 502', 'The store gave no usable answer. Nothing was paid.')
const rejected = (reason: string) =>
  new CountersignError(`rejected upstream catalog (${reason})`, 'Nothing was paid. Do not buy from this store.')
