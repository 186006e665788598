'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { HomeView } from '@/components/lib/api-types'

import { limitsTexts } from '@/components/limits/messages'
import { StartingLimits } from '@/components/limits/starting-limits'
import { Card, Section } from '@/components/ui/card'
import { Meter } from '@/components/ui/meter'
import { Money } from '@/components/ui/money'
import { SectionLink } from '@/components/ui/text-link'
import { homeTexts } from './messages'

interface SpendTodayProps {
  readonly spend: HomeView['spend']
  readonly startingLimits: HomeView['starting_limits']
}

/** One line per currency, against the cap where there is one. */
export function SpendToday({ spend, startingLimits }: SpendTodayProps) {
  const homeText = useText(homeTexts)
  return (
    <Section id="spend" title={homeText.spend} action={<SectionLink href="/limits">{homeText.limits}</SectionLink>}>
      <Card className="grid gap-6">
        {spend.length === 0 ? <p className="text-muted">{homeText.noSpend}</p> : null}
        {spend.map((line) => (
          <SpendLine key={line.currency} line={line} />
        ))}
        <StartingLimits limits={startingLimits} />
      </Card>
    </Section>
  )
}

function SpendLine({ line }: { readonly line: HomeView['spend'][number] }) {
  const format = useFormat()
  const homeText = useText(homeTexts)
  const limitsText = useText(limitsTexts)
  const { currency, daily_cap_minor: cap, reserved_minor: held } = line
  const used = line.spent_minor + held
  const heldText = held === 0 ? null : ` ${homeText.held(format.money(held, currency))}`
  if (cap === null) {
    return (
      <div className="grid gap-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{currency}</span>
          <Money minor={used} currency={currency} />
        </p>
        <p className="text-sm text-muted">
          {homeText.noCap}
          {heldText}
        </p>
      </div>
    )
  }
  const { meters } = limitsText
  return (
    <Meter
      label={currency}
      value={used}
      max={cap}
      text={meters.used(format.money(used, currency), format.money(cap, currency))}
      detail={
        <>
          {meters.left(format.money(Math.max(0, cap - used), currency))}
          {heldText}
        </>
      }
    />
  )
}
