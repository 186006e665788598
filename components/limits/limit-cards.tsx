'use client'

import { useSearchParams } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { useTimeZone } from '@/components/i18n/clock'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { showInAddress } from '@/components/lib/show-in-address'
import { useWanted } from '@/components/lib/use-wanted'
import { Button } from '@/components/ui/button'
import { RequestFailure } from '@/components/ui/request-failure'
import { isCapped, limitsFromWire } from '@/server/wallet/limits/input'
import { AskedCount } from './asked-count'
import { draftOfPerson, type LimitsDraft } from './limits-draft'
import { LimitsForm } from './limits-form'
import { limitsTexts } from './messages'
import { UndoOffer } from './undo-offer'
import { type Removal, useRemoval } from './use-removal'

// Fetched for a person who has several currencies or adds one.
const OtherCurrencies = lazy(() =>
  import('./other-currencies').then(({ OtherCurrencies: view }) => ({ default: view })),
)
const RemoveCurrency = lazy(() => import('./remove-currency').then(({ RemoveCurrency: view }) => ({ default: view })))

/** The key of the card of a new currency. */
const NEW_CURRENCY = 'new'

interface LimitCardsProps extends Pick<LimitsView, 'limits' | 'currencies'> {
  readonly rule: LimitsView['approval_rule']
}

/** Shows a card for each currency, and the effect that all typed limits would have had. */
export function LimitCards({ limits, currencies, rule }: LimitCardsProps) {
  const text = useText(limitsTexts).form
  const locale = useLocale()
  const removal = useRemoval()
  const readersOwn = useTimeZone()
  const [main, setMain] = useState<LimitsDraft>(() => draftOfPerson(limits, locale, readersOwn))
  const [drafts, setDrafts] = useState<Readonly<Record<string, LimitsDraft>>>({})
  const known = limitsFromWire(limits ?? {})
  // In the address, so that the card is there again for what was typed in it before signing in again.
  const isAdding = useSearchParams().get('add') === 'currency' && isCapped(known)
  const hasOthers = Object.keys(known.others).length > 0
  const cards = [...Object.keys(known.others), ...(isAdding ? [NEW_CURRENCY] : [])]
  const isSeveral = useWanted(isAdding || hasOthers)
  return (
    <>
      <LimitsForm limits={limits} currencies={currencies} onDraft={setMain}>
        {hasOthers ? <RemoveMain limits={known} removal={removal} /> : null}
      </LimitsForm>
      {isSeveral ? (
        <Suspense fallback={null}>
          <OtherCurrencies
            limits={limits}
            currencies={currencies}
            removal={removal}
            isAdding={isAdding}
            onAdded={() => showInAddress('add', null)}
            onDraft={(currency, draft) => setDrafts((all) => ({ ...all, [currency ?? NEW_CURRENCY]: draft }))}
          />
        </Suspense>
      ) : null}
      {isAdding || !isCapped(known) ? null : (
        <Button variant="secondary" className="w-fit" onClick={() => showInAddress('add', 'currency')}>
          {text.addCurrency}
        </Button>
      )}
      {removal.error === null ? null : <RequestFailure error={removal.error} />}
      <AskedCount draft={main} others={cards.flatMap((name) => drafts[name] ?? [])} rule={rule} />
      <UndoOffer changeId={removal.data?.undo ?? null} onUndone={removal.reset} />
    </>
  )
}

/** Removes the limits of the main currency; the next currency becomes the main one. */
function RemoveMain({ limits, removal }: { readonly limits: Limits; readonly removal: Removal }) {
  if (!isCapped(limits) || limits.currency === null) return null
  return (
    <Suspense fallback={null}>
      <RemoveCurrency currency={limits.currency} removal={removal} />
    </Suspense>
  )
}

type Limits = ReturnType<typeof limitsFromWire>
