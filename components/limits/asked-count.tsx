'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { LimitsView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { type LimitsDraft, readDraft } from './limits-draft'
import { limitsTexts } from './messages'
import { onlyCaps } from './wanted-limits'

// Fetched when the person opens the list.
const AskedAbout = lazy(() => import('./asked-about').then(({ AskedAbout: view }) => ({ default: view })))

interface AskedCountProps {
  readonly draft: LimitsDraft
  /** The drafts of the other currencies. */
  readonly others: readonly LimitsDraft[]
  readonly rule: LimitsView['approval_rule']
}

/**
 * Shows the effect that the typed limits would have had on the payments of the last 30 days; nothing while they cannot
 * be read.
 */
export function AskedCount({ draft, others, rule }: AskedCountProps) {
  const { form, asked: text } = useText(limitsTexts)
  const locale = useLocale()
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const words = { text: form, locale }
  const { errors, limits } = readDraft(useDeferredValue(draft), words)
  const readOthers = useDeferredValue(others).map((other) => readDraft(other, words))
  const isReadable = [errors, ...readOthers.map((other) => other.errors)].every(
    (wrong) => Object.keys(wrong).length === 0,
  )
  const { data } = useQuery({
    ...trpc.limits.askedCount.queryOptions({ ...limits, ...capsOf(readOthers) }),
    enabled: isReadable,
    placeholderData: keepPreviousData,
  })
  const known = isReadable ? data : undefined
  return (
    <div className="grid gap-1">
      <p role="status" className="min-h-6 text-sm text-muted">
        {known !== undefined && known.payments > 0 ? sentenceOf(rule, known, text) : null}
        {known !== undefined && known.refused > 0 ? ` ${text.refused(known.refused)}` : null}
      </p>
      {known === undefined || known.asked === 0 ? null : (
        <Button variant="secondary" size="sm" className="w-fit" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {text.show}
        </Button>
      )}
      {isOpen && known !== undefined && known.asked > 0 ? (
        <Suspense fallback={null}>
          <AskedAbout payments={known.asked_about} label={rule === 'every_purchase' ? text.above : text.list} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Returns what the limits would have meant under the person's rule, which may ask whatever the limits are. */
function sentenceOf(
  rule: LimitsView['approval_rule'],
  { asked, payments }: { readonly asked: number; readonly payments: number },
  text: TextOf<typeof limitsTexts>['asked'],
): string {
  if (rule === 'every_purchase') return text.everyPurchase(asked, payments)
  const sentence = text.sentence(asked, payments)
  return rule === 'new_merchants' ? text.newMerchants(sentence) : sentence
}

/** Returns the typed limits of the other currencies; without any draft nothing, so that the stored ones apply. */
function capsOf(others: readonly Pick<ReturnType<typeof readDraft>, 'limits'>[]) {
  const entries = others.flatMap(({ limits: { currency, ...caps } }) =>
    currency === null ? [] : [[currency, onlyCaps(caps)] as const],
  )
  return others.length === 0 ? {} : { other_currencies: Object.fromEntries(entries) }
}
