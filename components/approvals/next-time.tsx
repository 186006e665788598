'use client'

import { useState } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { parseMoney, typedMoney } from '@/components/lib/typed-money'
import { Choice } from '@/components/ui/choice'
import { Disclosure } from '@/components/ui/disclosure'
import { Field, Input } from '@/components/ui/field'
import { MAX_AMOUNT_MINOR } from '@/server/base/core/money'
import { nextTimeTexts } from './next-time-messages'

interface NextTimeProps {
  readonly currency: string
  /** The proposed amount, in minor units. */
  readonly proposedMinor: number
  /**
   * Called with the choice: undefined for the proposed amount, 0 to be asked every time, null while the input is not an
   * amount.
   */
  readonly onChange: (askAboveMinor: number | null | undefined) => void
}

type Choosing = 'proposed' | 'other' | 'always'

/** Lets the person choose the amount above which they are asked next time; the other choices are folded. */
export function NextTime({ currency, proposedMinor, onChange }: NextTimeProps) {
  const text = useText(nextTimeTexts)
  const format = useFormat()
  const locale = useLocale()
  const [choosing, setChoosing] = useState<Choosing>('proposed')
  const [typed, setTyped] = useState(() => typedMoney(proposedMinor, currency, locale))
  const amount = readAmount(parseMoney(typed, currency, locale))
  const labels: Readonly<Record<Choosing, string>> = {
    proposed: text.askAbove(format.money(proposedMinor, currency)),
    other: text.other,
    always: text.everyTime,
  }
  const choose = (choice: Choosing, other: number | null) => {
    setChoosing(choice)
    onChange({ proposed: undefined, other, always: 0 }[choice])
  }
  return (
    <Disclosure look="inline" summary={`${text.title}: ${labels[choosing]}`}>
      <fieldset className="grid gap-2">
        <legend className="sr-only">{text.title}</legend>
        {(['proposed', 'other', 'always'] as const).map((choice) => (
          <Choice
            key={choice}
            id={`next-time-${choice}`}
            kind="radio"
            name="next-time"
            label={labels[choice]}
            checked={choosing === choice}
            onChange={() => choose(choice, amount)}
            className="min-h-11 px-4 py-2.5"
          />
        ))}
        {choosing === 'other' ? (
          <Field label={text.otherAmount(currency)} error={amount === null ? text.badAmount : undefined}>
            <Input
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value)
                choose('other', readAmount(parseMoney(target.value, currency, locale)))
              }}
              className="tabular-nums"
            />
          </Field>
        ) : null}
      </fieldset>
    </Disclosure>
  )
}

const readAmount = (minor: number | null): number | null =>
  minor !== null && minor > 0 && minor <= MAX_AMOUNT_MINOR ? minor : null
