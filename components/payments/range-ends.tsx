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

/** Asks for the two days of a custom period; an incomplete day or a wrong order changes nothing. */
export function RangeEnds({ ends, per }: RangeEndsProps) {
  const text = useText(spendingTexts)
  const [typed, setTyped] = useState(ends)
  const [shown, setShown] = useState(ends)
  // The address was changed elsewhere, for instance by the back button.
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
    // A digit adds no entry to the history.
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
