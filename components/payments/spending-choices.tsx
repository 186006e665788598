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

// Fetched for a period of one's own.
const RangeEnds = lazy(() => import('./range-ends').then(({ RangeEnds: view }) => ({ default: view })))

interface SpendingChoicesProps {
  readonly choice: SpendingChoice
  /** The days that are shown, which From–to begins with; null while they are not known. */
  readonly days: SpendingView['days'] | null
}

const RANGE = 'range'
const periodNames = [...namedPeriods, RANGE] as const

/** A choice is a place to go back to. */
const go = (choice: SpendingChoice) => window.history.pushState(null, '', addressOfSpending(choice))

/** Which period, and what a bar stands for. */
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
