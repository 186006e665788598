'use client'

import { type ReactNode, useState } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { Form } from '@/components/ui/form'
import { SaveRow } from '@/components/ui/save-row'
import {
  capsFromWire,
  isCapped,
  limitsFromWire,
  limitsToWire,
  type RecordedLimits,
  withCaps,
} from '@/server/wallet/limits/input'
import { currencyTexts } from './currency-messages'
import { type DraftErrors, draftOf, type LimitsDraft, readDraft } from './limits-draft'
import { FieldGrid, MoneyFields } from './limits-form'
import { limitsTexts } from './messages'
import { RaiseDialog } from './raise-dialog'
import { UndoOffer } from './undo-offer'
import { useDraft } from './use-draft'
import { useSaveLimits } from './use-save-limits'

interface CurrencyFormProps {
  readonly limits: LimitsView['limits']
  /** The currency and its stored limits; for a new currency, the one to start with. */
  readonly stored: RecordedLimits & { readonly currency: string }
  readonly onDraft: (draft: LimitsDraft) => void
  readonly onSaved?: () => void
  /** Renders the content above the fields, which may choose another currency for the typed amounts. */
  readonly renderHead?: (currency: string, onCurrency: (currency: string) => void) => ReactNode
  /** Other actions on these limits. */
  readonly children: ReactNode
}

/** Edits the limits of one currency of several. */
export function CurrencyForm({ limits, stored, onDraft, onSaved = nothing, renderHead, children }: CurrencyFormProps) {
  const text = useText(limitsTexts).form
  const { empty } = useText(currencyTexts)
  const locale = useLocale()
  const [draft, setDraft] = useDraft(draftOf(stored, locale), onDraft)
  const { currency } = draft
  const saving = useSaveLimits(null, limits, { currency, onSaved })
  const [errors, setErrors] = useState<DraftErrors>({})
  const change = (part: Partial<LimitsDraft>) => {
    setDraft({ ...draft, ...part })
    saving.save.reset()
  }
  const submit = () => {
    const { errors: wrong, limits: typed } = readDraft(draft, { text, locale })
    const caps = capsFromWire(typed)
    const found = Object.keys(wrong).length > 0 || isCapped(caps) ? wrong : { daily: empty }
    setErrors(found)
    if (Object.keys(found).length > 0 || saving.busy) return
    saving.submit(limitsToWire(withCaps(limitsFromWire(limits ?? {}), currency, caps)))
  }
  return (
    <>
      <Form onSubmit={submit} className="grid gap-4">
        <FieldGrid>
          {renderHead?.(currency, (chosen) => change({ currency: chosen }))}
          <MoneyFields draft={draft} errors={errors} onChange={change} />
        </FieldGrid>
        <SaveRow label={text.save} saved={text.saved} save={saving.shown} />
        {children}
      </Form>
      <RaiseDialog saving={saving} />
      <UndoOffer changeId={saving.undoable} onUndone={() => saving.save.reset()} />
    </>
  )
}

const nothing = () => undefined
