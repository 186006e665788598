import type { ConsentView } from '@/components/lib/api-types'
import { Change } from '@/components/ui/change'
import { Notice } from '@/components/ui/notice'
import { TextLink } from '@/components/ui/text-link'
import type { Words } from './words'

interface EffectProps extends Words {
  readonly effect: ConsentView['effect']
  readonly currency: string
}

/** Shows the effect of the purchase on the person's limits. */
export function Effect({ effect, currency, text, format }: EffectProps) {
  const { limit_currency: limitCurrency, left_before_minor: before, left_after_minor: after } = effect
  if (effect.refused_currency && limitCurrency !== null) {
    return (
      <Notice tone="danger" action={<TextLink href="/limits">{text.changeLimits}</TextLink>}>
        {text.refusedCurrency(limitCurrency, currency)}
      </Notice>
    )
  }
  if (before === null || after === null) return <p>{text.noCap}</p>
  return (
    <p>
      <Change
        from={text.leftToday(format.money(Math.max(0, before), limitCurrency ?? currency))}
        to={<strong className="font-semibold">{format.money(Math.max(0, after), limitCurrency ?? currency)}</strong>}
        becomes={text.becomes}
      />
    </p>
  )
}
