'use client'

import { type ReactNode, useState } from 'react'
import { useTimeZone } from '@/components/i18n/clock'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { AgentView, LimitsView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { Notice } from '@/components/ui/notice'
import { SaveRow } from '@/components/ui/save-row'
import { Select } from '@/components/ui/select'
import { limitsFromWire } from '@/server/wallet/limits/input'
import { CurrencySelect } from './currency-select'
import { useWindowLabel } from './limit-meters'
import { type DraftErrors, draftOf, draftOfPerson, type LimitsDraft, readDraft, suggestionIn } from './limits-draft'
import { limitsTexts } from './messages'
import { RaiseDialog } from './raise-dialog'
import { TimeZoneSelect } from './time-zone-select'
import { UndoOffer } from './undo-offer'
import { useDraft } from './use-draft'
import { useSaveLimits } from './use-save-limits'

interface LimitsFormProps {
  readonly limits: LimitsView['limits']
  readonly currencies: LimitsView['currencies']
  readonly onDraft: (draft: LimitsDraft) => void
  /** Other actions on these limits. */
  readonly children: ReactNode
}

/** Edits the limits over all agents together, in the main currency. */
export function LimitsForm(props: LimitsFormProps) {
  const text = useText(limitsTexts).form
  return <SavedFields {...props} clientId={null} saved={text.saved} isSuggesting />
}

/** Edits the limits of one agent, which apply in addition to those. */
export function AgentLimitsForm({ clientId, limits }: Pick<AgentView, 'limits'> & { readonly clientId: string }) {
  const text = useText(limitsTexts).form
  return <SavedFields limits={limits} clientId={clientId} saved={text.savedForAgent} />
}

interface SavedFieldsProps {
  readonly limits: LimitsView['limits'] | AgentView['limits']
  readonly clientId: string | null
  readonly saved: string
  readonly currencies?: LimitsView['currencies']
  readonly isSuggesting?: boolean
  readonly onDraft?: (draft: LimitsDraft) => void
  readonly children?: ReactNode
}

function SavedFields({
  limits,
  clientId,
  saved,
  currencies = [],
  isSuggesting = false,
  onDraft,
  children,
}: SavedFieldsProps) {
  const text = useText(limitsTexts).form
  const locale = useLocale()
  const saving = useSaveLimits(clientId, limits)
  const readersOwn = useTimeZone()
  const stored = clientId === null ? draftOfPerson(limits, locale, readersOwn) : draftOf(limits, locale)
  const [draft, setDraft] = useDraft(stored, onDraft)
  const [errors, setErrors] = useState<DraftErrors>({})
  const change = (part: Partial<LimitsDraft>) => {
    setDraft({ ...draft, ...part })
    saving.save.reset()
  }
  const submit = () => {
    const { errors: wrong, limits: wanted } = readDraft(draft, { text, locale })
    setErrors(wrong)
    if (Object.keys(wrong).length === 0 && !saving.busy) saving.submit(wanted)
  }
  return (
    <Card>
      <Form onSubmit={submit} className="grid gap-4">
        {limits === null && isSuggesting ? <Suggestion onTake={() => change(suggestionIn(locale))} /> : null}
        <LimitFields
          draft={draft}
          errors={errors}
          currencies={currencies}
          without={Object.keys(limitsFromWire(limits ?? {}).others)}
          onChange={change}
        />
        <SaveRow label={text.save} saved={saved} save={saving.shown} />
        {children}
      </Form>
      <RaiseDialog saving={saving} />
      <UndoOffer changeId={saving.undoable} onUndone={() => saving.save.reset()} />
    </Card>
  )
}

interface LimitFieldsProps {
  readonly draft: LimitsDraft
  readonly errors: DraftErrors
  /** The currencies in use, which are offered first. */
  readonly currencies?: readonly string[]
  /** Currencies that have limits of their own, and are not offered here. */
  readonly without?: readonly string[]
  readonly onChange: (part: Partial<LimitsDraft>) => void
}

/** The fields for the limits of a wallet or an agent. */
export function LimitFields({ draft, errors, currencies = [], without = [], onChange: change }: LimitFieldsProps) {
  const text = useText(limitsTexts).form
  return (
    <FieldGrid>
      <Field label={text.currency} className={draft.timeZone === null ? 'col-span-2' : ''}>
        <CurrencySelect
          value={draft.currency}
          used={currencies}
          without={without}
          onChange={(currency) => change({ currency })}
        />
      </Field>
      {draft.timeZone === null ? null : (
        <Field label={text.timeZone}>
          <TimeZoneSelect value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
        </Field>
      )}
      <MoneyFields draft={draft} errors={errors} onChange={change} />
      <Field label={text.count} error={errors.count}>
        <Input
          inputMode="numeric"
          autoComplete="off"
          placeholder={text.placeholder}
          value={draft.count}
          onChange={(event) => change({ count: event.target.value })}
        />
      </Field>
      <Field label={text.window}>
        <WindowSelect seconds={draft.windowSeconds} onChange={(windowSeconds) => change({ windowSeconds })} />
      </Field>
    </FieldGrid>
  )
}

/** Lays out two fields in a row, also on a phone. */
export function FieldGrid({ children }: { readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 items-end gap-x-2 tight:grid-cols-1 gap-y-3 sm:gap-x-3 sm:gap-y-4">{children}</div>
  )
}

/** The fields for the amounts of one currency. */
export function MoneyFields({
  draft,
  errors,
  onChange: change,
}: Pick<LimitFieldsProps, 'draft' | 'errors' | 'onChange'>) {
  const text = useText(limitsTexts).form
  const set = {
    daily: (daily: string) => change({ daily }),
    weekly: (weekly: string) => change({ weekly }),
    monthly: (monthly: string) => change({ monthly }),
    single: (single: string) => change({ single }),
  }
  return (
    <>
      {(['daily', 'weekly', 'monthly', 'single'] as const).map((name) => (
        <MoneyField key={name} label={text[name]} error={errors[name]} value={draft[name]} onChange={set[name]} />
      ))}
    </>
  )
}

interface MoneyFieldProps {
  readonly label: string
  readonly error: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function MoneyField({ label, error, value, onChange }: MoneyFieldProps) {
  const text = useText(limitsTexts).form
  return (
    <Field label={label} error={error}>
      <Input
        inputMode="decimal"
        autoComplete="off"
        placeholder={text.placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="tabular-nums"
      />
    </Field>
  )
}

interface WindowSelectProps {
  readonly seconds: number
  readonly onChange: (seconds: number) => void
}

function WindowSelect({ seconds, onChange }: WindowSelectProps) {
  const windowLabel = useWindowLabel()
  const limitsText = useText(limitsTexts)
  const known = limitsText.windows.some((window) => window.seconds === seconds)
  return (
    <Select value={String(seconds)} onChange={(event) => onChange(Number(event.target.value))}>
      {/* An app of the person's may have set a window that this list does not offer. */}
      {known ? null : <option value={String(seconds)}>{windowLabel(seconds)}</option>}
      {limitsText.windows.map((window) => (
        <option key={window.seconds} value={String(window.seconds)}>
          {window.label}
        </option>
      ))}
    </Select>
  )
}

/** Offers the suggested limits, which are safe to start with. */
function Suggestion({ onTake }: { readonly onTake: () => void }) {
  const text = useText(limitsTexts).form
  return (
    <Notice
      tone="info"
      title={text.suggest}
      action={
        <Button variant="secondary" size="sm" onClick={onTake}>
          {text.takeSuggestion}
        </Button>
      }
    >
      {text.suggestHint}
    </Notice>
  )
}
