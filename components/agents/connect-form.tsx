'use client'

import { type SyntheticEvent, useState } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { type DraftErrors, draftOf, type LimitsDraft, readDraft, suggestionIn } from '@/components/limits/limits-draft'
import { LimitFields, Suggestion } from '@/components/limits/limits-form'
import { limitsTexts } from '@/components/limits/messages'
import { StepUpFailure } from '@/components/security/step-up-failure'
import type { StepUpFailureReason } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { holdsCardNumber, isPlainLine } from '@/server/base/core/free-text'
import { AGENT_NAME_MAX, AGENT_PURPOSE_MAX } from '@/server/surfaces/portal/input'
import type { WireLimits } from '@/server/wallet/limits/input'
import { agentsTexts } from './messages'
import { type PermissionId, permissions, scopeOf } from './permissions'

/** Weeks and months turn with the person's. */
type OwnLimits = Omit<WireLimits, 'time_zone'>

export interface Plan {
  readonly name: string
  readonly purpose: string
  readonly scope: string
  /** Its own limits from the start; left out for none. */
  readonly limits?: OwnLimits
}

interface ConnectFormProps {
  readonly busy: boolean
  readonly failure: StepUpFailureReason | null
  readonly onSubmit: (plan: Plan) => void
}

type Words = TextOf<typeof agentsTexts>['new']
type Errors = Partial<Record<'name' | 'purpose' | 'scope', string>>

export function ConnectForm({ busy, failure, onSubmit }: ConnectFormProps) {
  const text = useText(agentsTexts).new
  const limitsText = useText(limitsTexts).form
  const locale = useLocale()
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<PermissionId>>(new Set(['pay']))
  const [draft, setDraft] = useState<LimitsDraft>(() => draftOf(null, locale))
  const [errors, setErrors] = useState<Errors>({})
  const [limitErrors, setLimitErrors] = useState<DraftErrors>({})
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const plan = { name: name.trim(), purpose: purpose.trim(), scope: scopeOf(chosen) }
    const found = check(plan, text)
    const { errors: wrong, limits: wanted } = readDraft(draft, { text: limitsText, locale })
    const { time_zone: _, ...limits } = wanted
    setErrors(found)
    setLimitErrors(wrong)
    const isGood = Object.keys({ ...found, ...wrong }).length === 0
    if (isGood && !busy) onSubmit({ ...plan, ...(isLimited(limits) && { limits }) })
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
          <Input
            data-focus-next
            value={name}
            onChange={(event) => setName(event.target.value)}
            autoComplete="off"
            required
          />
        </Field>
        <Field label={text.purpose} hint={text.purposeHint} error={errors.purpose}>
          <Input value={purpose} onChange={(event) => setPurpose(event.target.value)} autoComplete="off" />
        </Field>
      </Card>
      <fieldset className="grid gap-3" aria-describedby={errors.scope === undefined ? undefined : 'permissions-error'}>
        <legend className="mb-3 text-lg font-semibold tracking-tight">{text.permissions}</legend>
        {permissions.map(({ id }) => (
          <Choice
            key={id}
            id={`permission-${id}`}
            kind="checkbox"
            label={text[id].label}
            hint={text[id].hint}
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
      <Section id="own-limits" title={text.limits} description={text.limitsHint}>
        <Card className="grid gap-5">
          <Suggestion onTake={() => setDraft((before) => ({ ...before, ...suggestionIn(locale) }))} />
          <LimitFields
            draft={draft}
            errors={limitErrors}
            onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          />
        </Card>
      </Section>
      <StepUpFailure failure={failure} />
      <Button type="submit" busy={busy} className="w-full sm:w-fit">
        {text.submit}
      </Button>
    </form>
  )
}

const isLimited = ({ currency, velocity_count: count }: OwnLimits) => currency !== null || count !== null

/** What keeps the plan from being sent, by field, in words. */
function check({ name, purpose, scope }: Plan, text: Words): Errors {
  const wrong = {
    name: name === '' ? text.nameMissing : checkLine(name, AGENT_NAME_MAX, text),
    purpose: checkLine(purpose, AGENT_PURPOSE_MAX, text),
    scope: scope === '' ? text.noneChosen : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, words]) => words !== undefined))
}

function checkLine(line: string, max: number, text: Words): string | undefined {
  if (line.length > max) return text.tooLong(max)
  if (!isPlainLine(line)) return text.notPlain
  return holdsCardNumber(line) ? text.cardNumber : undefined
}
