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

interface SpentProps {
  readonly spend: HomeView['spend']
  readonly longer: HomeView['longer_spend']
  readonly startingLimits: HomeView['starting_limits']
}

/** Shows what was spent today, this week and this month against the limits; today alone where there are none. */
export function Spent({ spend, longer, startingLimits }: SpentProps) {
  const homeText = useText(homeTexts)
  const { meters } = useText(limitsTexts)
  const isDayLimited = spend.some(({ daily_cap_minor: cap }) => cap !== null)
  const today = isDayLimited || longer.length === 0 ? spend : []
  return (
    <Section id="spend" title={homeText.spend} action={<SectionLink href="/limits">{homeText.limits}</SectionLink>}>
      <Card className="grid gap-4">
        {spend.length === 0 && longer.length === 0 ? <p className="text-muted">{homeText.noSpend}</p> : null}
        {today.map((line) => (
          <TodayLine key={line.currency} line={line} />
        ))}
        {longer.map(({ period, currency, used_minor: used, cap_minor: cap }) => (
          <CapLine
            key={`${period} ${currency}`}
            label={meters[period]}
            currency={currency}
            used={used}
            cap={cap}
            note={null}
          />
        ))}
        <StartingLimits limits={startingLimits} />
      </Card>
    </Section>
  )
}

function TodayLine({ line }: { readonly line: HomeView['spend'][number] }) {
  const format = useFormat()
  const homeText = useText(homeTexts)
  const { meters } = useText(limitsTexts)
  const { currency, daily_cap_minor: cap, reserved_minor: held } = line
  const used = line.spent_minor + held
  const heldText = held === 0 ? null : homeText.held(format.money(held, currency))
  if (cap !== null) return <CapLine label={meters.today} currency={currency} used={used} cap={cap} note={heldText} />
  return (
    <div className="grid gap-0.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{meters.today}</span>
        <Money minor={used} currency={currency} />
      </p>
      {heldText === null ? null : <p className="text-sm text-muted">{heldText}</p>}
    </div>
  )
}

interface CapLineProps {
  readonly label: string
  readonly currency: string
  readonly used: number
  readonly cap: number
  readonly note: string | null
}

function CapLine({ label, currency, used, cap, note }: CapLineProps) {
  const format = useFormat()
  const { meters } = useText(limitsTexts)
  return (
    <Meter
      label={label}
      value={used}
      max={cap}
      text={meters.used(format.money(used, currency), format.money(cap, currency))}
      detail={note ?? undefined}
    />
  )
}
