import { CircleCheck, Repeat, Sparkles, TriangleAlert } from 'lucide-react'
import type { PortalConsent } from '@/components/lib/api-types'
import { cn } from '@/components/lib/cn'
import { Badge } from '@/components/ui/badge'
import { ForeignText } from '@/components/ui/foreign-text'
import type { ItemChange } from './differences'
import type { Words } from './words'

type Item = NonNullable<PortalConsent['line_items']>[number]

const TITLE_MAX = 120

interface LineItemsProps extends Words {
  readonly items: readonly Item[]
  readonly currency: string
  /** How each item differs from the last purchase; left out where there was none. */
  readonly changes?: readonly ItemChange[] | undefined
}

export function LineItems({ items, currency, changes = [], ...words }: LineItemsProps) {
  const { format } = words
  return (
    <ul className="divide-y divide-line">
      {items.map((item, index) => (
        // Two lines may name the same article.
        <li
          key={`${index} ${item.sku}`}
          className="flex items-baseline justify-between gap-4 py-2.5 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <p className="own-space wrap-anywhere">
              <ForeignText text={item.title ?? item.sku} max={TITLE_MAX} />
            </p>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <p className="text-sm text-muted tabular-nums">
                <Quantity item={item} currency={currency} {...words} />
              </p>
              <Change change={changes[index]} currency={currency} {...words} />
            </div>
          </div>
          {item.unit_price_minor === undefined ? null : (
            <p className="whitespace-nowrap tabular-nums">
              {format.money(item.unit_price_minor * item.qty, item.currency ?? currency)}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

interface QuantityProps extends Words {
  readonly item: Item
  readonly currency: string
}

function Quantity({ item, currency, text, format }: QuantityProps) {
  if (item.unit_price_minor === undefined) return `${item.qty} × · ${text.noPrice}`
  return `${item.qty} × ${format.money(item.unit_price_minor, item.currency ?? currency)}`
}

interface ChangeProps extends Words {
  readonly change: ItemChange | undefined
  readonly currency: string
}

/** Shows how an item differs from the last purchase. */
function Change({ change, currency, text: { lastTime: text }, format }: ChangeProps) {
  if (change === undefined || change.kind === 'same') return null
  if (change.kind === 'new') {
    return (
      <Badge icon={Sparkles} tone="accent" className="group-data-decided:hidden">
        {text.isNew}
      </Badge>
    )
  }
  const before = [
    change.qty === null ? null : `${change.qty} ×`,
    change.priceMinor === null ? null : format.money(change.priceMinor, currency),
  ].filter((part) => part !== null)
  return (
    <Badge icon={Repeat} tone="warning" className="group-data-decided:hidden">
      {text.before(before.join(' · '))}
    </Badge>
  )
}

interface TotalCheckProps extends Words {
  readonly items: readonly Item[]
  readonly amountMinor: number
  readonly currency: string
  readonly matches: boolean
}

/** Shows whether the items add up to the requested amount, and how much of it they leave open. */
export function TotalCheck({ items, amountMinor, currency, matches, text, format }: TotalCheckProps) {
  if (!matches) return <Doubt tone="text-danger">{text.notAddedUp}</Doubt>
  if (items.some((item) => item.unit_price_minor === undefined)) {
    return <p className="text-sm text-muted">{text.unpriced}</p>
  }
  const rest = amountMinor - items.reduce((sum, { qty, unit_price_minor: price = 0 }) => sum + qty * price, 0)
  if (rest > 0) return <Doubt tone="text-warning">{text.beyondItems(format.money(rest, currency))}</Doubt>
  return (
    <p className="flex items-center gap-2 text-sm font-medium text-success">
      <CircleCheck aria-hidden className="size-4 shrink-0" />
      {text.addsUp}
    </p>
  )
}

function Doubt({ tone, children }: { readonly tone: 'text-danger' | 'text-warning'; readonly children: string }) {
  return (
    <p className={cn('flex items-start gap-2 font-medium', tone)}>
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  )
}
