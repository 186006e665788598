'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTimeZone } from '@/components/i18n/clock'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { LimitsView } from '@/components/lib/api-types'
import { useHydrated } from '@/components/lib/use-hydrated'
import { type DraftErrors, draftOf, type LimitsDraft, readDraft, timeZoneOf } from '@/components/limits/limits-draft'
import { limitsTexts } from '@/components/limits/messages'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { welcomeTexts } from './messages'
import { Actions } from './step-actions'
import { addressOf, after } from './steps'
import { useFirstLimits } from './use-first-limits'

type Amount = 'daily' | 'single'
const amounts: readonly Amount[] = ['daily', 'single']

/** Asks for the two most important limits, filled in with the person's own; the others stay as they are. */
export function LimitsStep({ limits }: Pick<LimitsView, 'limits'>) {
  const { form: words } = useText(limitsTexts)
  const text = useText(welcomeTexts)
  const locale = useLocale()
  const timeZone = timeZoneOf(limits, useTimeZone())
  const router = useRouter()
  const hydrated = useHydrated()
  const [draft, setDraft] = useState<LimitsDraft>(() => draftOf(limits ?? SUGGESTED, locale))
  const [errors, setErrors] = useState<DraftErrors>({})
  const goOn = () => router.push(addressOf(after('limits')))
  const { save, reset, isTold, busy, failure } = useFirstLimits(limits, goOn)
  const change = (part: Partial<LimitsDraft>) => {
    setDraft({ ...draft, ...part })
    reset()
  }
  const send = () => {
    const { errors: wrong, limits: wanted } = readDraft({ ...draft, timeZone }, { text: words, locale })
    setErrors(wrong)
    if (Object.keys(wrong).length === 0 && !busy) save(wanted)
  }
  return (
    <Form onSubmit={send} className="grid gap-6">
      <Card className="grid gap-5 sm:grid-cols-2">
        {amounts.map((field) => (
          <Field key={field} label={`${words[field]} (${draft.currency})`} error={errors[field]}>
            <Input
              inputMode="decimal"
              autoComplete="off"
              placeholder={words.placeholder}
              value={draft[field]}
              onChange={(event) => change({ [field]: event.target.value })}
              className="tabular-nums"
            />
          </Field>
        ))}
        <p className="text-sm text-muted sm:col-span-2">{text.limits.none}</p>
      </Card>
      {isTold ? (
        <Notice tone="warning" role="alert">
          {text.limits.raises}
        </Notice>
      ) : null}
      <StepUpFailure failure={failure} onRetry={send} />
      <Actions>
        <Button type="submit" disabled={!hydrated} busy={busy}>
          {text.continue}
        </Button>
      </Actions>
    </Form>
  )
}

/** The limits proposed to a person without limits: those with which the portal starts everyone else. */
const SUGGESTED = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: 2_000 }
