import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { PortalConsent } from '@/components/lib/api-types'
import { formatMoney } from '@/components/lib/money'
import { ForeignText } from '@/components/ui/foreign-text'
import { consentText } from './messages'

type Item = NonNullable<PortalConsent['line_items']>[number]

const TITLE_MAX = 120

interface LineItemsProps {
  readonly items: readonly Item[]
  readonly currency: string
}

export function LineItems({ items, currency }: LineItemsProps) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item, index) => (
        // Nothing forbids two lines of the same article.
        <li
          key={`${index} ${item.sku}`}
          className="flex items-baseline justify-between gap-4 py-2.5 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <p className="wrap-anywhere">
              <ForeignText text={item.title ?? item.sku} max={TITLE_MAX} />
            </p>
            <p className="text-sm text-muted tabular-nums">{quantityOf(item, currency)}</p>
          </div>
          {item.unit_price_minor === undefined ? null : (
            <p className="whitespace-nowrap tabular-nums">
              {formatMoney(item.unit_price_minor * item.qty, item.currency ?? currency)}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function quantityOf(item: Item, currency: string): string {
  if (item.unit_price_minor === undefined) return `${item.qty} × · ${consentText.noPrice}`
  return `${item.qty} × ${formatMoney(item.unit_price_minor, item.currency ?? currency)}`
}

interface TotalCheckProps {
  readonly items: readonly Item[]
  readonly matches: boolean
}

/** Whether the items come to the amount that is asked for. */
export function TotalCheck({ items, matches }: TotalCheckProps) {
  const priced = items.every((item) => item.unit_price_minor !== undefined)
  if (!matches) {
    return (
      <p className="flex items-start gap-2 font-medium text-danger">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
        {consentText.notAddedUp}
      </p>
    )
  }
  if (!priced) return <p className="text-sm text-muted">{consentText.unpriced}</p>
  return (
    <p className="flex items-center gap-2 text-sm font-medium text-success">
      <CircleCheck aria-hidden className="size-4 shrink-0" />
      {consentText.addsUp}
    </p>
  )
}
