'use client'

import { lazy, Suspense } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { SpendingView } from '@/components/lib/api-types'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { parseDay, writeDay } from '@/server/base/core/calendar-day'
import { namedPeriods, spendingParts } from '@/server/money/payments/input'
import { addressOfSpending, type SpendingChoice } from './spending-address'
import { spendingTexts } from './spending-messages'

// Fetched for a custom period.
const RangeEnds = lazy(() => import('./range-ends').then(({ RangeEnds: view }) => ({ default: view })))

interface SpendingChoicesProps {
  readonly choice: SpendingChoice
  /** The shown days, with which a custom period starts; null while they are not known. */
  readonly days: SpendingView['days'] | null
}

const RANGE = 'range'
const periodNames = [...namedPeriods, RANGE] as const

/** Adds the choice to the history of the browser. */
const go = (choice: SpendingChoice) => window.history.pushState(null, '', addressOfSpending(choice))

/** Lets the person choose the period and the unit of one bar. */
export function SpendingChoices({ choice, days }: SpendingChoicesProps) {
  const text = useText(spendingTexts)
  const { period, per } = choice
  const choosePeriod = (name: string) => {
    const named = namedPeriods.find((one) => one === name)
    if (named !== undefined) go({ per, period: named })
    else if (days !== null) go({ per, period: { from: parseDay(days.from), to: parseDay(days.to) } })
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Field label={text.period}>
        <Select
          value={typeof period === 'string' ? period : RANGE}
          onChange={({ target }) => choosePeriod(target.value)}
        >
          {periodNames.map((name) => (
            <option key={name} value={name}>
              {text.periods[name]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={text.per}>
        <Select
          value={per}
          onChange={({ target }) => go({ period, per: spendingParts.find((part) => part === target.value) ?? per })}
        >
          {spendingParts.map((part) => (
            <option key={part} value={part}>
              {text.parts[part === 'day' && period === 'last_12_months' ? 'month' : part]}
            </option>
          ))}
        </Select>
      </Field>
      {typeof period === 'string' ? null : (
        <Suspense fallback={null}>
          <RangeEnds ends={{ from: writeDay(period.from), to: writeDay(period.to) }} per={per} />
        </Suspense>
      )}
    </div>
  )
}
