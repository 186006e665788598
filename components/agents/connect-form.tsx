'use client'

import { type SyntheticEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { RequestFailure } from '@/components/ui/request-failure'
import { agentPlan } from '@/server/portal/contract'
import { agentsText } from './messages'
import { type PermissionId, permissions, scopeOf } from './permissions'

const text = agentsText.new

export interface Plan {
  readonly name: string
  readonly purpose: string
  readonly scope: string
}

interface ConnectFormProps {
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (plan: Plan) => void
}

type Errors = Partial<Record<keyof Plan, string>>

export function ConnectForm({ busy, error, onSubmit }: ConnectFormProps) {
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<PermissionId>>(new Set(['pay']))
  const [errors, setErrors] = useState<Errors>({})
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const plan = { name: name.trim(), purpose: purpose.trim(), scope: scopeOf(chosen) }
    const found = check(plan)
    setErrors(found)
    if (Object.keys(found).length === 0 && !busy) onSubmit(plan)
  }
  const toggle = (id: PermissionId) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <Card className="grid gap-5">
        <Field label={text.name} hint={text.nameHint} error={errors.name}>
          <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" required />
        </Field>
        <Field label={text.purpose} hint={text.purposeHint} error={errors.purpose}>
          <Input value={purpose} onChange={(event) => setPurpose(event.target.value)} autoComplete="off" />
        </Field>
      </Card>
      <fieldset className="grid gap-3" aria-describedby={errors.scope === undefined ? undefined : 'permissions-error'}>
        <legend className="mb-3 text-lg font-semibold tracking-tight">{text.permissions}</legend>
        {permissions.map(({ id, label, hint }) => (
          <Choice
            key={id}
            id={`permission-${id}`}
            kind="checkbox"
            label={label}
            hint={hint}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
          />
        ))}
        {errors.scope === undefined ? null : (
          <p id="permissions-error" role="alert" className="text-sm font-medium text-danger">
            {errors.scope}
          </p>
        )}
      </fieldset>
      {error === null ? null : <RequestFailure error={error} />}
      <Button type="submit" busy={busy} className="w-full sm:w-fit">
        {text.submit}
      </Button>
    </form>
  )
}

/** What keeps the plan from being sent, by field, in words; the contract decides, the words are ours. */
function check(plan: Plan): Errors {
  const errors: Errors = plan.scope === '' ? { scope: text.noneChosen } : {}
  for (const issue of agentPlan.safeParse(plan).error?.issues ?? []) {
    const [field] = issue.path
    if (field === 'name' || field === 'purpose') errors[field] ??= wordsFor(issue)
  }
  return errors
}

function wordsFor(issue: { readonly code: string; readonly maximum?: unknown }): string {
  if (issue.code === 'too_small') return text.nameMissing
  return issue.code === 'too_big' ? text.tooLong(Number(issue.maximum)) : text.notPlain
}
