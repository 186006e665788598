'use client'

import { lazy, Suspense } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { CurrencySpending, SpendingView } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { formatDays } from './format-days'
import { SpendByTime } from './spend-by-time'
import { spendingTexts } from './spending-messages'

// Loaded separately, since days are shown first.
const SpendByParty = lazy(() => import('./spend-by-party').then(({ SpendByParty: view }) => ({ default: view })))

interface SpendingInProps {
  readonly own: CurrencySpending
  readonly spending: SpendingView
}

/** Shows the spending in one currency beside that of the same number of days before, and its bars. */
export function SpendingIn({ own, spending }: SpendingInProps) {
  const text = useText(spendingTexts)
  const locale = useLocale()
  const { days, per } = spending
  const shownDays = formatDays(days, { locale, until: text.until, withYear: true })
  return (
    <Section
      id={`spending-${own.currency}`}
      title={useComparison(own, spending)}
      description={text.count(own.count, shownDays)}
    >
      {own.count === 0 ? null : (
        <Card>
          {per === 'day' || per === 'month' ? <SpendByTime own={own} per={per} /> : null}
          {per === 'merchant' || per === 'agent' ? (
            <Suspense fallback={null}>
              <SpendByParty own={own} per={per} days={days} />
            </Suspense>
          ) : null}
        </Card>
      )}
    </Section>
  )
}

/** Returns the comparison in words, for instance "€45.10, €12.30 more than 1 to 22 October". */
function useComparison({ currency, amount_minor, before_minor }: CurrencySpending, spending: SpendingView): string {
  const text = useText(spendingTexts)
  const locale = useLocale()
  const { money } = useFormat()
  const { days, before } = spending
  const [amount, earlier] = [BigInt(amount_minor), BigInt(before_minor)]
  const withYear = before.from.slice(0, 4) !== days.to.slice(0, 4)
  const span = before.from === before.to ? text.span.one : text.span.many
  const than = span(formatDays(before, { locale, until: text.until, withYear }))
  const spent = money(amount, currency)
  if (amount === earlier) return text.same(spent, than)
  return amount > earlier
    ? text.more(spent, money(amount - earlier, currency), than)
    : text.less(spent, money(earlier - amount, currency), than)
}
