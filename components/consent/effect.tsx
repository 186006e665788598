'use client'

import { ArrowRight, TriangleAlert } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { ConsentView } from '@/components/lib/api-types'

import { Notice } from '@/components/ui/notice'
import { TextLink } from '@/components/ui/text-link'
import { consentTexts } from './messages'

interface EffectProps {
  readonly effect: ConsentView['effect']
  readonly currency: string
}

/** What the purchase does to the limits that the person has set. */
export function Effect({ effect, currency }: EffectProps) {
  const format = useFormat()
  const consentText = useText(consentTexts)
  const { limit_currency: limitCurrency, left_before_minor: before, left_after_minor: after, exceeded } = effect
  if (effect.refused_currency && limitCurrency !== null) {
    return (
      <Notice tone="danger" action={<LimitsLink />}>
        {consentText.refusedCurrency(limitCurrency, currency)}
      </Notice>
    )
  }
  return (
    <div className="grid gap-3">
      {before === null || after === null ? (
        <p>{consentText.noCap}</p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2 tabular-nums">
          {consentText.leftToday(format.money(Math.max(0, before), limitCurrency ?? currency))}
          <ArrowRight aria-label={consentText.becomes} className="size-4 shrink-0 text-muted" />
          <strong className="font-semibold">{format.money(Math.max(0, after), limitCurrency ?? currency)}</strong>
        </p>
      )}
      {(exceeded ?? []).map(({ scope, kind }) => (
        <p key={`${scope} ${kind}`} className="flex items-start gap-2 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
          {consentText.exceeded[scope][kind]}
        </p>
      ))}
    </div>
  )
}

function LimitsLink() {
  const consentText = useText(consentTexts)
  return <TextLink href="/limits">{consentText.changeLimits}</TextLink>
}
