import { ArrowDown, ArrowUp, Bot, type LucideIcon, Repeat } from 'lucide-react'
import type { ReactNode } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'
import { Part } from '@/components/ui/part'
import type { Differences } from './differences'
import type { Words } from './words'

interface LastTimeProps extends Words {
  readonly differences: Differences
  readonly currency: string
}

/** Highlights what differs from the last purchase, in at most three lines, since habitual approvers miss it. */
export function LastTime({ differences, currency, ...words }: LastTimeProps) {
  const text = words.text.lastTime
  const items = changedItems(differences, text)
  return (
    <Part title={text.title}>
      <ul className="grid gap-1 sm:gap-2">
        <AmountLine amountMinor={differences.amountMinor} currency={currency} {...words} />
        {differences.otherAgent === null ? null : (
          <Line icon={Bot}>
            {text.otherAgent} <ForeignText text={differences.otherAgent} />
          </Line>
        )}
        {items === '' ? null : <Line icon={Repeat}>{items}</Line>}
      </ul>
    </Part>
  )
}

/** Returns how many items are new, changed or missing; the list of items says which. */
function changedItems({ items, gone }: Differences, text: Words['text']['lastTime']): string {
  const count = (wanted: 'new' | 'changed') => items.filter(({ kind }) => kind === wanted).length
  const [added, changed] = [count('new'), count('changed')]
  return [
    added === 0 ? null : text.added(added),
    changed === 0 ? null : text.changed(changed),
    gone.length === 0 ? null : text.gone(gone.length),
  ]
    .filter((part) => part !== null)
    .join(', ')
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
