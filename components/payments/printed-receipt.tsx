'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PaymentDetailView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { readOrigin } from '@/components/lib/origin'
import { plainName } from '@/components/lib/plain-text'
import { useHydrated } from '@/components/lib/use-hydrated'
import { cardName } from '@/server/base/core/card-name'
import { paymentTexts } from './payment-messages'

const JWKS_PATH = '/oauth/jwks.json'
/** The largest number of items with which the receipt fits on one page. */
const ITEMS_MAX = 25

/** Shows the printed receipt: one page without colours, hidden on screens. */
export function PrintedReceipt({ data }: { readonly data: PaymentDetailView }) {
  const text = useText(paymentTexts)
  const format = useFormat()
  const hydrated = useHydrated()
  const { payment, merchant } = data
  const origin = readOrigin(merchant.audience)
  const facts = [
    { name: text.merchant, value: `${merchantName(merchant.name, merchant.audience)}, ${origin.text}${origin.path}` },
    { name: text.date, value: format.time(payment.processed_at_iso, 'full') },
    { name: text.charged, value: format.money(payment.amount_minor, payment.currency) },
    { name: text.card, value: cardName(data.card) },
    { name: text.agent, value: plainName(data.agent.label) },
    { name: text.id, value: payment.payment_intent_id },
  ]
  return (
    <div data-receipt className="hidden text-sm print:block">
      <p className="text-xl font-semibold">{text.printed.title}</p>
      <dl className="mt-4 grid gap-1">
        {facts.map(({ name, value }) => (
          <div key={name} className="grid grid-cols-[9rem_minmax(0,1fr)]">
            <dt>{name}</dt>
            <dd className="wrap-anywhere font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <PrintedItems data={data} />
      <figure className="mt-6 grid justify-items-start gap-2">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(data.receipt_qr_svg)}`}
          alt={text.printed.proof}
          className="size-60 bg-[#fff]"
        />
        <figcaption className="grid gap-1">
          <span className="font-medium">{text.printed.proof}</span>
          <span>{text.printed.proofHint(hydrated ? `${window.location.origin}${JWKS_PATH}` : JWKS_PATH)}</span>
        </figcaption>
      </figure>
    </div>
  )
}

function PrintedItems({ data: { line_items: items, payment } }: { readonly data: PaymentDetailView }) {
  const text = useText(paymentTexts)
  const format = useFormat()
  if (items.length === 0) return <p className="mt-4">{text.noItems}</p>
  return (
    <section className="mt-4">
      <p className="font-semibold">{text.items}</p>
      <ul>
        {items.slice(0, ITEMS_MAX).map((item) => (
          <li key={`${item.sku} ${item.qty}`} className="flex justify-between gap-4">
            <span className="wrap-anywhere">
              {item.qty} × {plainName(item.title ?? item.sku)}
            </span>
            {item.unit_price_minor === undefined ? null : (
              <span className="whitespace-nowrap">
                {format.money(item.qty * item.unit_price_minor, item.currency ?? payment.currency)}
              </span>
            )}
          </li>
        ))}
        {items.length > ITEMS_MAX ? <li>{text.printed.moreItems(items.length - ITEMS_MAX)}</li> : null}
      </ul>
    </section>
  )
}
