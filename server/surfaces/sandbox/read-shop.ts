import type * as z from 'zod'
import type { InputOf } from '../../base/contract/endpoint'
import { html, type Markup } from '../../base/contract/html'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { decimalAmount } from '../../base/core/money'
import { catalogUrlOf } from './catalog'
import type { CatalogEntry, SandboxMerchant } from './catalog-data'
import type { readShopEndpoint } from './contract'
import { audienceOf, requireMerchant } from './merchants'
import { page, pageHeaders, prefersJson } from './page'
import type { shopBody } from './wire'

type Shop = z.input<typeof shopBody>

/** Returns the merchant's page, which also names the addresses that a program needs. */
export async function readShop({ platform }: AnonymousCall, input: InputOf<typeof readShopEndpoint>): Promise<Reply> {
  const merchant = requireMerchant(input.merchant_id)
  const audience = audienceOf(platform, merchant)
  const shop: Shop = {
    id: merchant.id,
    merchant_audience: audience,
    business_name: merchant.name,
    country: merchant.country,
    accepts_currency: [...merchant.currencies],
    catalog_url: catalogUrlOf(platform, merchant),
    jwks_url: `${audience}/jwks.json`,
    nonce_url: `${audience}/nonce`,
    payments_url: `${audience}/payments`,
    verify_mandate_url: `${audience}/verify-mandate`,
  }
  if (prefersJson(input.headers.accept)) return Reply.json(shop, { vary: 'accept' })
  return Reply.text(page(merchant.name, renderShop(merchant, shop)), 'text/html; charset=utf-8', {
    headers: pageHeaders,
  })
}

function renderShop(merchant: SandboxMerchant, shop: Shop): Markup {
  return html`<h1>${merchant.name}</h1>
<p>${merchant.about}</p>
${merchant.isVerified ? html`` : html`<p class="note">This merchant is not verified.</p>`}
<ul>${merchant.items.map(renderItem)}</ul>
<dl>
${renderFact('Mandates are made out to', html`<code>${shop.merchant_audience}</code>`)}
${renderFact('Signed catalog', html`<a href="${shop.catalog_url}">${shop.catalog_url}</a>`)}
${renderFact('Keys of the catalog', html`<a href="${shop.jwks_url}">${shop.jwks_url}</a>`)}
${renderFact('Nonce', html`<code>GET ${shop.nonce_url}</code>`)}
${renderFact('Order', html`<code>POST ${shop.payments_url}</code>`)}
${renderFact('Verify and charge a mandate', html`<code>POST ${shop.verify_mandate_url}</code>`)}
</dl>`
}

function renderItem(entry: CatalogEntry): Markup {
  const { title, description, unitPriceMinor, currency, inStock, sku, category, minAge } = entry
  return html`<li>
<div class="row"><h2>${title}</h2><span class="price">${currency} ${decimalAmount(unitPriceMinor, currency)}</span></div>
${description === undefined ? html`` : html`<p class="text">${description}</p>`}
<p class="muted">${inStock ? 'In stock' : 'Out of stock'}, ${category}, <code>${sku}</code>${minAge === undefined ? '' : `, for people of ${minAge} and older`}</p>
</li>`
}

function renderFact(name: string, value: Markup): Markup {
  return html`<dt>${name}</dt><dd>${value}</dd>`
}
