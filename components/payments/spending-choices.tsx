'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Field, Input } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { isDay, parseDay, writeDay } from '@/server/base/core/calendar-day'
import { namedPeriods, parsePeriod, spendingParts } from '@/server/money/payments/input'
import { addressOfSpending, type SpendingChoice } from './spending-address'
import { spendingTexts } from './spending-messages'

interface Ends {
  readonly from: string
  readonly to: string
}

interface SpendingChoicesProps {
  readonly choice: SpendingChoice
  /** The days that are shown, which From–to begins with; null while they are not known. */
  readonly days: Ends | null
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
        <RangeEnds ends={{ from: writeDay(period.from), to: writeDay(period.to) }} per={per} />
      )}
    </div>
  )
}

interface RangeEndsProps extends Pick<SpendingChoice, 'per'> {
  readonly ends: Ends
}

/** The two days of a period of one's own; half a day and a wrong order change nothing. */
function RangeEnds({ ends, per }: RangeEndsProps) {
  const text = useText(spendingTexts)
  const [typed, setTyped] = useState(ends)
  const [shown, setShown] = useState(ends)
  // The address changed by itself, as by the back button.
  if (ends.from !== shown.from || ends.to !== shown.to) {
    setShown(ends)
    setTyped(ends)
  }
  const set = (member: keyof Ends) => (event: { target: { value: string } }) => {
    const next = { ...typed, [member]: event.target.value }
    setTyped(next)
    const period = parsePeriod(`${next.from}..${next.to}`)
    if (period === null) return
    setShown(next)
    // Each digit is no place to go back to.
    window.history.replaceState(null, '', addressOfSpending({ per, period }))
  }
  return (
    <>
      <Field label={text.from}>
        <Input type="date" value={typed.from} onChange={set('from')} />
      </Field>
      <Field label={text.to} error={errorOf(typed, text)}>
        <Input type="date" value={typed.to} onChange={set('to')} />
      </Field>
    </>
  )
}

function errorOf({ from, to }: Ends, text: { readonly order: string; readonly tooLong: string }): string | undefined {
  if (!isDay(from) || !isDay(to)) return undefined
  if (from > to) return text.order
  return parsePeriod(`${from}..${to}`) === null ? text.tooLong : undefined
}
