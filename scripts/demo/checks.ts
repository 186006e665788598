import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { verifyResponse } from '@/server/base/protocol/http-signature'
import { parsePublicJwk } from '@/server/base/protocol/jwk'
import { offerDigest } from '@/server/base/protocol/offer-digest'
import { type AuditEntry, hashEntry } from '@/server/shared/audit'
import { CommandError, readJson, sendRequest } from '../operator-client'
import type { Wallet } from './wallet'

/** The members of a signed catalog's item that a purchase needs. */
export interface CatalogItem {
  readonly sku: string
  readonly title: string
  readonly unit_price_minor: number
  readonly currency: string
  readonly offer_id: string
  readonly offer_digest: string
}

export interface Catalog {
  readonly merchant: string
  readonly catalog_url: string
  readonly items: readonly CatalogItem[]
}

/** Verifies the merchant's signature over its catalog, and that the item's digest matches its content. */
export async function checkCatalog(catalog: Catalog, item: CatalogItem): Promise<void> {
  await verifyResponse(await fetchCatalog(catalog))
  if (offerDigest({ merchant: catalog.merchant, ...item }) !== item.offer_digest)
    throw new CommandError('The digest of the offer is wrong.')
}

/** Returns the merchant's catalog with its signature and the keys to verify it with. */
export async function fetchCatalog({ merchant, catalog_url: url }: Catalog) {
  const [response, jwks] = await Promise.all([sendRequest(url), readJwks(`${merchant}/jwks.json`)])
  return {
    status: response.status,
    headers: response.headers,
    body: new Uint8Array(await response.arrayBuffer()),
    request: { method: 'GET', url },
    jwks: jwks.keys.map(parsePublicJwk),
    now: new Date(),
    tag: 'oid4ac-catalog',
  } as const
}

/** A settlement, as the tool server returns it. */
export interface Settlement {
  readonly mandate_id: string
  readonly payment_intent_id: string
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
  readonly receipt_jws: string
}

/** Verifies the receipt with only the service's published keys; returns the id of the key that signed it. */
export async function checkReceipt(baseUrl: string, settlement: Settlement): Promise<string> {
  const jwks = await readJwks(`${baseUrl}/oauth/jwks.json`)
  const { payload, protectedHeader } = await jwtVerify(settlement.receipt_jws, createLocalJWKSet(jwks), {
    issuer: baseUrl,
    audience: settlement.merchant_audience,
    typ: 'payment-receipt+jwt',
    algorithms: ['EdDSA'],
  })
  for (const member of ['mandate_id', 'payment_intent_id', 'amount_minor', 'currency'] as const) {
    if (payload[member] !== settlement[member]) throw new CommandError(`The receipt names another ${member}.`)
  }
  return protectedHeader.kid ?? ''
}

async function readJwks(url: string): Promise<JSONWebKeySet> {
  return (await readJson(await sendRequest(url))) as JSONWebKeySet
}

/** The entries of the person's part of the audit chain for a payment. */
export interface AuditCheck {
  readonly seq: number
  readonly entries: number
}

/**
 * Recomputes every hash of the person's audit entries and every link between neighbours, and finds the payment. The
 * entries between belong to other people of the same tenant, so only the tenant can check the whole chain.
 */
export async function checkAudit(wallet: Wallet, paymentIntentId: string): Promise<AuditCheck> {
  const { entries } = await wallet.get<{ entries: readonly AuditEntry[] }>('/wallet/audit-chain?limit=200')
  const byAge = entries.toReversed()
  for (const [index, entry] of byAge.entries()) {
    const { entry_hash: hash, ...unhashed } = entry
    const next = byAge[index + 1]
    const isLinked = next?.seq !== entry.seq + 1 || next.prev_hash === hash
    if (hashEntry(unhashed) !== hash || !isLinked) throw new CommandError(`Audit entry ${entry.seq} does not verify.`)
  }
  const paid = entries.find(
    ({ event, payload }) => event === 'oid4ac.payment.succeeded' && payload['payment_intent_id'] === paymentIntentId,
  )
  if (paid === undefined) throw new CommandError('The audit chain does not show the payment.')
  return { seq: paid.seq, entries: entries.length }
}

/** The person's limits; null members are no limits. */
export interface WalletLimits {
  readonly currency: string | null
  readonly daily_cap_minor: number | null
  readonly single_txn_cap_minor: number | null
}

/** Returns the rest of the daily limit, which begins again at 00:00 UTC; null when there is none in this currency. */
export async function readLeftToday(wallet: Wallet, currency: string): Promise<number | null> {
  const limits = await wallet.get<WalletLimits | null>('/wallet/limits')
  if (limits === null || limits.daily_cap_minor === null || limits.currency !== currency) return null
  const query = new URLSearchParams({ from_iso: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`, limit: '100' })
  const { payments } = await wallet.get<{ payments: readonly { amount_minor: number; currency: string }[] }>(
    `/wallet/payment-history?${query}`,
  )
  const spent = payments.filter((payment) => payment.currency === currency)
  return Math.max(0, limits.daily_cap_minor - spent.reduce((sum, payment) => sum + payment.amount_minor, 0))
}
