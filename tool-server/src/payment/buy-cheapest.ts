import { createHash } from 'node:crypto'
import type { CountersignClient } from '../client/index.js'
import { CountersignError } from '../errors.js'
import { isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound } from '../http/outbound.js'
import { canonicalJson } from '../json.js'
import { CHOSEN_KEEP_MS, CONSENT_POLL_DEFAULT_SECONDS, LOCK_HANDOVER_MS } from '../limits.js'
import { itemsOf, readCatalog } from '../merchant/catalog.js'
import { chooseCheapest, type ItemWish } from '../merchant/choose-item.js'
import type { CatalogItem } from '../merchant/wire.js'
import type { Settings } from '../settings.js'
import { type PendingPurchase, PendingStore } from '../state/pending-store.js'
import { type Choice, ChoiceStore } from './choice-store.js'
import type { Host } from './host.js'
import { type Order, purchaseKey } from './order.js'
import { payOrder, requireAddresses } from './pay-order.js'
import type { PayAnswer } from './pay-result.js'

/** A request for the cheapest matching item of a store. */
export interface CheapestWish extends ItemWish {
  readonly storeUrl: string
  readonly verifyUrl: string
  readonly redirectUri: string
}

/** One call that buys the cheapest item, with its client and host. */
export interface Shopping {
  readonly client: CountersignClient
  readonly wish: CheapestWish
  readonly host: Host & { readonly settings: Settings }
}

/** The chosen item, and the result of buying it. */
export interface Bought {
  readonly item: CatalogItem
  readonly answer: PayAnswer
}

const PAYMENT_SCOPE = 'openid oid4ac:payment'

/**
 * Buys the cheapest matching item. While its purchase is in progress, an identical call continues with the item chosen
 * first, even if the store's catalog has changed.
 */
export async function buyCheapest(shopping: Shopping): Promise<Bought> {
  const { client, wish, host } = shopping
  requireAddresses({ merchant: wish.storeUrl, url: wish.verifyUrl, issuer: client.issuer })
  const choice = await resolveChoice(shopping)
  const approvalOptions = { hint: undefined, timeoutSeconds: undefined }
  const purchase = { client, order: toOrder(wish, choice), wishKey: purchaseWish(shopping, choice), approvalOptions }
  return { item: choice.item, answer: await payOrder(purchase, host) }
}

async function resolveChoice(shopping: Shopping): Promise<Choice> {
  const { host } = shopping
  const startedAt = Date.now()
  const choices = new ChoiceStore(host.settings.home)
  await choices.sweep(startedAt)
  const choice = await choices.resolve(wishKeyOf(shopping), {
    startedAt,
    wait: { signal: host.signal, until: startedAt + CONSENT_POLL_DEFAULT_SECONDS * 1000 },
    isUnderWay: (known) => isUnderWay(shopping, known),
    choose: () => choose(shopping),
    begin: (made) => begin(shopping, made),
  })
  if (choice !== null) return choice
  throw new CountersignError('another call is making the same purchase', 'Call this tool again.')
}

/** Returns the key of the request: equal for equal arguments of one registration. */
function wishKeyOf({ client: { issuer, clientId }, wish }: Shopping): string {
  return createHash('sha256')
    .update(canonicalJson({ wish, buyer: { issuer, clientId } }))
    .digest('hex')
}

function keyOf(shopping: Shopping, choice: Choice): string {
  const { issuer, clientId } = shopping.client
  return purchaseKey(toOrder(shopping.wish, choice), { issuer, clientId, wishKey: purchaseWish(shopping, choice) })
}

/** Returns the request that the purchase is for; undefined for a choice of an earlier version, whose purchase names none. */
const purchaseWish = (shopping: Shopping, { merchant }: Choice): string | undefined =>
  merchant === undefined ? undefined : wishKeyOf(shopping)

async function isUnderWay(shopping: Shopping, choice: Choice): Promise<boolean> {
  return isOpen(await new PendingStore(shopping.host.settings.home).peek(keyOf(shopping, choice)))
}

/**
 * Returns whether an identical call continues the purchase. After the purchase has expired, or has ended unpaid and its
 * result was delivered, the call chooses again.
 */
function isOpen(purchase: PendingPurchase | null): boolean {
  if (purchase === null || purchase.expires_at <= Date.now()) return false
  return purchase.stage !== 'done' || purchase.result.status === 'paid' || !purchase.delivered
}

/**
 * Stores the purchase before other calls can read the choice, so that they do not choose again while it is requested.
 */
async function begin(shopping: Shopping, choice: Choice): Promise<void> {
  const { home } = shopping.host.settings
  const wait = { signal: shopping.host.signal, until: Date.now() + LOCK_HANDOVER_MS }
  const slot = await new PendingStore(home).take(keyOf(shopping, choice), wait)
  // Another call is making the same purchase.
  if (slot === null) return
  try {
    if (isOpen(await slot.read())) return
    await slot.write({ stage: 'chosen', expires_at: Date.now() + CHOSEN_KEEP_MS })
  } finally {
    await slot.release()
  }
}

async function choose({ client, wish, host }: Shopping): Promise<Omit<Choice, 'chosen_at'>> {
  const send = createOutbound({ allowLoopback: isLoopbackUrl(client.issuer) })
  const catalog = await readCatalog({ storeUrl: wish.storeUrl, issuer: client.issuer, send, signal: host.signal })
  const item = chooseCheapest(itemsOf(catalog), wish)
  if (item === undefined) throw new CountersignError('no in-stock matching items under the cap')
  return { merchant: catalog.merchant, item }
}

/**
 * Returns the order. The payee is the store as its catalog spells it, since merchants compare the audience with their
 * own name.
 */
function toOrder(wish: CheapestWish, { merchant = wish.storeUrl, item }: Choice): Order {
  const { sku, unit_price_minor: amountMinor, currency } = item
  return {
    merchant,
    route: { kind: 'verify_url', url: wish.verifyUrl },
    amountMinor,
    currency,
    lineItems: [{ sku, qty: 1, unit_price_minor: amountMinor, currency }],
    offerId: item.offer_id,
    offerDigest: item.offer_digest,
    scope: PAYMENT_SCOPE,
    redirectUri: wish.redirectUri,
  }
}
