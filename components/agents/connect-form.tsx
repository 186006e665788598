'use client'

import { useState } from 'react'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { LimitsView } from '@/components/lib/api-types'
import {
  type DraftErrors,
  type DraftWords,
  firstDraft,
  type LimitsDraft,
  readDraft,
} from '@/components/limits/limits-draft'
import { LimitFields } from '@/components/limits/limits-form'
import { limitsTexts } from '@/components/limits/messages'
import { StepUpFailure } from '@/components/security/step-up-failure'
import type { StepUpFailureReason } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { AGENT_NAME_MAX, AGENT_PURPOSE_MAX } from '@/server/surfaces/portal/input'
import type { WireLimits } from '@/server/wallet/limits/input'
import { checkName } from './check-name'
import { agentsTexts } from './messages'
import { type PermissionId, permissions, scopeOf } from './permissions'

/** The agent's own limits; their weeks and months begin in the person's time zone. */
type OwnLimits = Omit<WireLimits, 'time_zone'>

export interface Plan {
  readonly name: string
  readonly purpose: string
  readonly scope: string
  /** The agent's own limits from the start; left out for none. */
  readonly limits?: OwnLimits
}

interface ConnectFormProps {
  /** The limits over all agents. */
  readonly wallet: LimitsView['limits']
  /** The proposed name, which the person may change. */
  readonly name: string
  readonly busy: boolean
  readonly failure: StepUpFailureReason | null
  readonly onSubmit: (plan: Plan) => void
}

type Words = TextOf<typeof agentsTexts>['new']
type Errors = Partial<Record<'name' | 'purpose' | 'scope' | 'limits', string>>

export function ConnectForm({ wallet, name: proposed, busy, failure, onSubmit }: ConnectFormProps) {
  const text = useText(agentsTexts).new
  const limitsText = useText(limitsTexts).form
  const locale = useLocale()
  const [name, setName] = useState(proposed)
  const [purpose, setPurpose] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<PermissionId>>(new Set(['pay']))
  const [draft, setDraft] = useState<LimitsDraft>(() => firstDraft(wallet, locale))
  const [isUnlimited, setIsUnlimited] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [limitErrors, setLimitErrors] = useState<DraftErrors>({})
  const send = () => {
    const plan = { name: name.trim(), purpose: purpose.trim(), scope: scopeOf(chosen) }
    const { errors: wrong, limits } = isUnlimited ? none : readLimits(draft, { text: limitsText, locale })
    const isForgotten = !isUnlimited && limits === undefined && Object.keys(wrong).length === 0
    const found = { ...check(plan, text), ...(isForgotten && { limits: text.limitsMissing }) }
    setErrors(found)
    setLimitErrors(wrong)
    const isGood = Object.keys({ ...found, ...wrong }).length === 0
    if (isGood && !busy) onSubmit({ ...plan, ...(limits !== undefined && { limits }) })
  }
  const toggle = (id: PermissionId) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <Form onSubmit={send} className="grid gap-6">
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
      <Permissions chosen={chosen} error={errors.scope} onToggle={toggle} />
      <Section id="own-limits" title={text.limits} description={text.limitsHint}>
        <Card className="grid gap-5">
          {isUnlimited ? null : (
            <LimitFields
              draft={draft}
              errors={limitErrors}
              onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
            />
          )}
          <Choice
            id="unlimited"
            kind="checkbox"
            label={text.unlimited}
            hint={text.unlimitedHint}
            checked={isUnlimited}
            onChange={() => setIsUnlimited(!isUnlimited)}
          />
          {errors.limits === undefined ? null : (
            <p role="alert" className="text-sm font-medium text-danger">
              {errors.limits}
            </p>
          )}
        </Card>
      </Section>
      <StepUpFailure failure={failure} onRetry={send} />
      <Button type="submit" busy={busy} className="w-full sm:w-fit">
        {text.submit}
      </Button>
    </Form>
  )
}

interface PermissionsProps {
  readonly chosen: ReadonlySet<PermissionId>
  readonly error: string | undefined
  readonly onToggle: (id: PermissionId) => void
}

function Permissions({ chosen, error, onToggle }: PermissionsProps) {
  const text = useText(agentsTexts).new
  return (
    <fieldset className="grid gap-3" aria-describedby={error === undefined ? undefined : 'permissions-error'}>
      <legend className="mb-3 text-lg font-semibold tracking-tight">{text.permissions}</legend>
      {permissions.map(({ id }) => (
        <Choice
          key={id}
          id={`permission-${id}`}
          kind="checkbox"
          label={text[id].label}
          hint={text[id].hint}
          checked={chosen.has(id)}
          onChange={() => onToggle(id)}
        />
      ))}
      {error === undefined ? null : (
        <p id="permissions-error" role="alert" className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ReadLimits {
  readonly errors: DraftErrors
  /** Left out where nothing is limited. */
  readonly limits?: OwnLimits
}

const none: ReadLimits = { errors: {} }

function readLimits(draft: LimitsDraft, words: DraftWords): ReadLimits {
  const { errors, limits: wanted } = readDraft(draft, words)
  const { time_zone: _, ...limits } = wanted
  const isLimited = limits.currency !== null || limits.velocity_count !== null
  return isLimited ? { errors, limits } : { errors }
}

/** Returns in words, by field, why the plan cannot be sent; empty when it can. */
function check({ name, purpose, scope }: Plan, text: Words): Errors {
  const wrong = {
    name: name === '' ? text.nameMissing : checkName(name, AGENT_NAME_MAX, text),
    purpose: checkName(purpose, AGENT_PURPOSE_MAX, text),
    scope: scope === '' ? text.noneChosen : undefined,
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, words]) => words !== undefined))
}
