'use client'

import { type SyntheticEvent, useState } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { AgentView, LimitsView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { SaveRow } from '@/components/ui/save-row'
import { Select } from '@/components/ui/select'
import { AskedCount } from './asked-count'
import { CurrencySelect } from './currency-select'
import { useWindowLabel } from './limit-meters'
import {
  type DraftErrors,
  draftOf,
  draftOfPerson,
  guessTimeZone,
  type LimitsDraft,
  readDraft,
  suggestionIn,
} from './limits-draft'
import { limitsTexts } from './messages'
import { RaiseDialog } from './raise-dialog'
import { TimeZoneSelect } from './time-zone-select'
import { UndoOffer } from './undo-offer'
import { useSaveLimits } from './use-save-limits'

interface LimitsFormProps {
  readonly limits: LimitsView['limits']
  readonly currencies: LimitsView['currencies']
}

/** The limits over all agents together. */
export function LimitsForm({ limits, currencies }: LimitsFormProps) {
  const text = useText(limitsTexts).form
  return <SavedFields limits={limits} currencies={currencies} clientId={null} saved={text.saved} isSuggesting />
}

/** The limits over one agent, beside those. */
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
}

function SavedFields({ limits, clientId, saved, currencies = [], isSuggesting = false }: SavedFieldsProps) {
  const { form: text, raise } = useText(limitsTexts)
  const locale = useLocale()
  const { save, ...saving } = useSaveLimits(clientId, limits)
  const read = clientId === null ? draftOfPerson : draftOf
  const [draft, setDraft] = useState<LimitsDraft>(() => read(limits, locale))
  const [errors, setErrors] = useState<DraftErrors>({})
  const [base, setBase] = useState(limits)
  // Saved here or on another device: what is stored now is what there is to edit.
  if (limits?.updated_at !== base?.updated_at) {
    setBase(limits)
    setDraft(read(limits, locale))
  }
  const change = (part: Partial<LimitsDraft>) => {
    setDraft({ ...draft, ...guessTimeZone(draft, part), ...part })
    save.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const { errors: wrong, limits: wanted } = readDraft(draft, { text, locale })
    setErrors(wrong)
    if (Object.keys(wrong).length === 0 && !saving.busy) saving.submit(wanted)
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate className="grid gap-5">
        {limits === null && isSuggesting ? <Suggestion onTake={() => change(suggestionIn(locale))} /> : null}
        <LimitFields draft={draft} errors={errors} currencies={currencies} onChange={change} />
        {clientId === null ? <AskedCount draft={draft} /> : null}
        <SaveRow label={text.save} saved={saved} save={saving.asked.open ? unsaved : save} />
      </form>
      <RaiseDialog
        open={saving.asked.open}
        onOpenChange={saving.cancel}
        title={raise.title}
        body={raise.body}
        before={saving.asked.before}
        after={saving.asked.after}
        busy={saving.busy}
        failure={saving.failure}
        onConfirm={saving.confirm}
      />
      <UndoOffer changeId={saving.undoable} onUndone={() => save.reset()} />
    </Card>
  )
}

/** While the person is asked, the dialog says how it goes. */
const unsaved = { isPending: false, isSuccess: false, error: null }

interface LimitFieldsProps {
  readonly draft: LimitsDraft
  readonly errors: DraftErrors
  /** Those in use, which are offered first. */
  readonly currencies?: readonly string[]
  readonly onChange: (part: Partial<LimitsDraft>) => void
}

/** The limits of a wallet or an agent, as typed. */
export function LimitFields({ draft, errors, currencies = [], onChange: change }: LimitFieldsProps) {
  const text = useText(limitsTexts).form
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={text.currency} className="sm:col-span-2">
        <CurrencySelect value={draft.currency} used={currencies} onChange={(currency) => change({ currency })} />
      </Field>
      <MoneyField
        label={text.daily}
        hint={text.dailyHint}
        error={errors.daily}
        value={draft.daily}
        onChange={(daily) => change({ daily })}
      />
      <MoneyField
        label={text.weekly}
        hint={text.weeklyHint}
        error={errors.weekly}
        value={draft.weekly}
        onChange={(weekly) => change({ weekly })}
      />
      <MoneyField
        label={text.monthly}
        hint={text.monthlyHint}
        error={errors.monthly}
        value={draft.monthly}
        onChange={(monthly) => change({ monthly })}
      />
      <MoneyField
        label={text.single}
        error={errors.single}
        value={draft.single}
        onChange={(single) => change({ single })}
      />
      <Field label={text.count} hint={text.countHint} error={errors.count}>
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
      {draft.timeZone === null ? null : (
        <Field label={text.timeZone} hint={text.timeZoneHint} className="sm:col-span-2">
          <TimeZoneSelect value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
        </Field>
      )}
    </div>
  )
}

interface MoneyFieldProps {
  readonly label: string
  readonly hint?: string
  readonly error: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function MoneyField({ label, hint, error, value, onChange }: MoneyFieldProps) {
  const text = useText(limitsTexts).form
  return (
    <Field label={label} hint={hint} error={error}>
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

/** Offers limits that are safe to start with. */
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
