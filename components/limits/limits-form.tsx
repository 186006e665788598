'use client'

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import type { LimitsView } from '@/components/lib/api-types'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { SaveRow } from '@/components/ui/save-row'
import { Select } from '@/components/ui/select'
import { useTRPC } from '@/server/trpc/client'
import { CurrencySelect } from './currency-select'
import { windowLabel } from './limit-meters'
import { type DraftErrors, draftOf, type LimitsDraft, readDraft, suggestion } from './limits-draft'
import { limitsText } from './messages'

const text = limitsText.form

type WantedLimits = ReturnType<typeof readDraft>['limits']

interface LimitsFormProps {
  readonly limits: LimitsView['limits']
}

/** The limits over all agents together. */
export function LimitsForm({ limits }: LimitsFormProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(trpc.limits.save.mutationOptions({ onSettled: () => queries.invalidateQueries() }))
  return <LimitFields limits={limits} save={save} saved={text.saved} isSuggesting />
}

/** The limits over one agent, beside those. */
export function AgentLimitsForm({ clientId, limits }: LimitsFormProps & { readonly clientId: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const options = trpc.agents.saveLimits.mutationOptions({ onSettled: () => queries.invalidateQueries() })
  const { mutate, ...save } = useMutation(options)
  const saveOne = (wanted: WantedLimits) => mutate({ client_id: clientId, ...wanted })
  return <LimitFields limits={limits} save={{ ...save, mutate: saveOne }} saved={text.savedForAgent} />
}

interface LimitFieldsProps extends LimitsFormProps {
  readonly save: Pick<UseMutationResult<unknown, unknown>, 'isPending' | 'isSuccess' | 'error' | 'reset'> & {
    readonly mutate: (limits: WantedLimits) => void
  }
  readonly saved: string
  readonly isSuggesting?: boolean
}

function LimitFields({ limits, save, saved, isSuggesting = false }: LimitFieldsProps) {
  const [draft, setDraft] = useState<LimitsDraft>(() => draftOf(limits))
  const [errors, setErrors] = useState<DraftErrors>({})
  const [base, setBase] = useState(limits)
  // Saved here or on another device: what is stored now is what there is to edit.
  if (limits?.updated_at !== base?.updated_at) {
    setBase(limits)
    setDraft(draftOf(limits))
  }
  const change = (part: Partial<LimitsDraft>) => {
    setDraft({ ...draft, ...part })
    save.reset()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const read = readDraft(draft)
    setErrors(read.errors)
    if (Object.keys(read.errors).length === 0 && !save.isPending) save.mutate(read.limits)
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate className="grid gap-5">
        {limits === null && isSuggesting ? <Suggestion onTake={() => change(suggestion)} /> : null}
        <Field label={text.currency} className="sm:max-w-sm">
          <CurrencySelect value={draft.currency} onChange={(currency) => change({ currency })} />
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <MoneyField
            label={text.daily}
            hint={text.dailyHint}
            error={errors.daily}
            value={draft.daily}
            onChange={(daily) => change({ daily })}
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
        </div>
        <SaveRow label={text.save} saved={saved} save={save} />
      </form>
    </Card>
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

function Suggestion({ onTake }: { readonly onTake: () => void }) {
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
