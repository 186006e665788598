import { createHash } from 'node:crypto'
import { newPrincipal, newSetupToken, type PrincipalOptions, REDIRECT_URI, type Target } from '../support/actors'
import { newHome, ToolHost, type ToolHostOptions } from './tool-host'

/** A person, and a tool server that is registered as an agent of theirs. */
export async function startBuyer(target: Target, person: PrincipalOptions = {}, options: ToolHostOptions = {}) {
  const { principalId, email } = await newPrincipal(target, { approval_rule: 'above_limits', ...person })
  const host = await ToolHost.start(await newHome(), options)
  const registered = await host.call('agent_register', {
    setup_token: await newSetupToken(target, principalId),
    as_url: target.baseUrl,
    redirect_uris: [REDIRECT_URI],
    client_name: 'Test agent',
  })
  if (registered.isError) throw new Error(registered.texts.join('\n'))
  return { host, principalId, email, clientId: String(registered.data['client_id']) }
}

/** What a mandate names when it buys what a catalog offers. */
function offerOf(merchant: string, { sku, unit_price_minor, currency }: Book) {
  const offer_id = `${merchant.split('/').at(-1)}.${sku}`
  // Members in the order of RFC 8785.
  const offer = JSON.stringify({ currency, merchant, offer_id, sku, unit_price_minor })
  return { offer_id, offer_digest: createHash('sha256').update(offer).digest('base64url') }
}

type Book = typeof BOOK

export const BOOK = { sku: 'left-hand-of-darkness', qty: 1, unit_price_minor: 1200, currency: 'EUR' }

export const KINDRED = { sku: 'kindred', qty: 1, unit_price_minor: 1350, currency: 'EUR' }

/** Arguments that buy a book at a sandbox merchant, through its verifier. */
export function bookOrder({ baseUrl }: Target, book: Book = BOOK) {
  const shop = `${baseUrl}/sandbox/merchants/tallow-books`
  return {
    merchant_url: shop,
    merchant_verify_url: `${shop}/verify-mandate`,
    amount: { currency: book.currency, amount_minor: book.unit_price_minor },
    line_items: [book],
    ...offerOf(shop, book),
    redirect_uri: REDIRECT_URI,
  }
}
