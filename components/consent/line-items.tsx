'use client'

import { CircleCheck, Repeat, Sparkles, TriangleAlert } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PortalConsent } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { ForeignText } from '@/components/ui/foreign-text'
import type { ItemChange } from './differences'
import { consentTexts } from './messages'

type Item = NonNullable<PortalConsent['line_items']>[number]

const TITLE_MAX = 120

interface LineItemsProps {
  readonly items: readonly Item[]
  readonly currency: string
  /** How each item stands to the purchase before; leave it out where there was none. */
  readonly changes?: readonly ItemChange[] | undefined
}

export function LineItems({ items, currency, changes = [] }: LineItemsProps) {
  const format = useFormat()
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
            <p className="text-sm text-muted tabular-nums">
              <Quantity item={item} currency={currency} />
            </p>
            <Change change={changes[index]} currency={currency} />
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

function Quantity({ item, currency }: { readonly item: Item; readonly currency: string }) {
  const consentText = useText(consentTexts)
  const format = useFormat()
  if (item.unit_price_minor === undefined) return `${item.qty} × · ${consentText.noPrice}`
  return `${item.qty} × ${format.money(item.unit_price_minor, item.currency ?? currency)}`
}

interface ChangeProps {
  readonly change: ItemChange | undefined
  readonly currency: string
}

/** What is not as it was at the purchase before, in words. */
function Change({ change, currency }: ChangeProps) {
  const text = useText(consentTexts).lastTime
  const format = useFormat()
  if (change === undefined || change.kind === 'same') return null
  if (change.kind === 'new') {
    return (
      <Badge icon={Sparkles} tone="accent" className="mt-1">
        {text.isNew}
      </Badge>
    )
  }
  const before = [
    change.qty === null ? null : `${change.qty} ×`,
    change.priceMinor === null ? null : format.money(change.priceMinor, currency),
  ].filter((part) => part !== null)
  return (
    <Badge icon={Repeat} tone="warning" className="mt-1">
      {text.before(before.join(' · '))}
    </Badge>
  )
}

interface TotalCheckProps {
  readonly items: readonly Item[]
  readonly matches: boolean
}

/** Whether the items come to the amount that is asked for. */
export function TotalCheck({ items, matches }: TotalCheckProps) {
  const consentText = useText(consentTexts)
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
