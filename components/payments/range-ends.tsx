'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { SpendingView } from '@/components/lib/api-types'
import { Field, Input } from '@/components/ui/field'
import { isDay } from '@/server/base/core/calendar-day'
import { parsePeriod } from '@/server/money/payments/input'
import { addressOfSpending, type SpendingChoice } from './spending-address'
import { spendingTexts } from './spending-messages'

type Ends = SpendingView['days']

interface RangeEndsProps extends Pick<SpendingChoice, 'per'> {
  readonly ends: Ends
}

/** The two days of a period of one's own; half a day and a wrong order change nothing. */
export function RangeEnds({ ends, per }: RangeEndsProps) {
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
