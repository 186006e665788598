import { ArrowDown, ArrowUp, Bot, Equal, type LucideIcon, PackageMinus, PackagePlus, Repeat } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ConsentView } from '@/components/lib/api-types'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { Part } from '@/components/ui/part'
import type { Differences } from './differences'
import type { Words } from './words'

interface LastTimeProps extends Words {
  readonly last: NonNullable<ConsentView['last_purchase']>
  readonly differences: Differences
  readonly currency: string
}

/** What is not as it was at the purchase before: that is what a habit overlooks. */
export function LastTime({ last, differences, currency, ...words }: LastTimeProps) {
  const { format } = words
  const text = words.text.lastTime
  const added = differences.items.filter(({ kind }) => kind === 'new').length
  const changed = differences.items.filter(({ kind }) => kind === 'changed').length
  return (
    <Part title={text.title}>
      <p className="text-sm text-muted">
        {text.paid(format.money(last.amount_minor, last.currency))} <Moment at={last.at} style="date" />
      </p>
      <ul className="grid gap-2">
        {differences.same ? <Line icon={Equal}>{text.same}</Line> : null}
        <AmountLine amountMinor={differences.amountMinor} currency={currency} {...words} />
        {differences.otherAgent === null ? null : (
          <Line icon={Bot}>
            {text.otherAgent} <ForeignText text={differences.otherAgent} />
          </Line>
        )}
        {added === 0 ? null : <Line icon={PackagePlus}>{text.added(added)}</Line>}
        {changed === 0 ? null : <Line icon={Repeat}>{text.changed(changed)}</Line>}
        {differences.gone.map((item, index) => (
          <Line key={`${index} ${item.sku}`} icon={PackageMinus}>
            {text.gone} <ForeignText text={item.title ?? item.sku} max={120} />
          </Line>
        ))}
      </ul>
    </Part>
  )
}

interface AmountLineProps extends Words {
  readonly amountMinor: number | null
  readonly currency: string
}

function AmountLine({ amountMinor, currency, text: { lastTime: text }, format }: AmountLineProps) {
  if (amountMinor === 0) return null
  if (amountMinor === null) return <Line icon={Repeat}>{text.otherCurrency}</Line>
  const by = format.money(Math.abs(amountMinor), currency)
  if (amountMinor > 0) return <Line icon={ArrowUp}>{text.more(by)}</Line>
  return <Line icon={ArrowDown}>{text.less(by)}</Line>
}

function Line({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 font-medium">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}
