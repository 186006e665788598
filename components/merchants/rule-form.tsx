'use client'

import { useEffect, useRef, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { MerchantsView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { Card } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { Field, Input } from '@/components/ui/field'
import { Form } from '@/components/ui/form'
import { SaveRow } from '@/components/ui/save-row'
import { Select } from '@/components/ui/select'
import { merchantsTexts } from './messages'
import { RelaxedRuleDialog } from './relaxed-rule'
import { readAddress } from './rule-draft'
import { useSaveRule } from './use-save-rule'

const verdicts = ['deny', 'allow'] as const

interface Draft {
  readonly address: string
  /** The agent's id; empty for all agents. */
  readonly agent: string
  readonly verdict: (typeof verdicts)[number]
}

const EMPTY: Draft = { address: '', agent: '', verdict: 'deny' }

interface RuleFormProps extends Pick<MerchantsView, 'agents'> {
  /** The address of the merchant chosen in the directory; null when there is none. */
  readonly address: string | null
}

/** Adds a rule by the merchant's address. */
export function RuleForm({ agents, address: chosen }: RuleFormProps) {
  const merchantsText = useText(merchantsTexts)
  const text = merchantsText.form
  const [draft, setDraft] = useState<Draft>({ ...EMPTY, address: chosen ?? '' })
  const [error, setError] = useState<string>()
  const address = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (chosen !== null) address.current?.focus()
  }, [chosen])
  const save = useSaveRule(() => setDraft(EMPTY))
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setError(undefined)
    save.reset()
  }
  const submit = () => {
    const read = readAddress(draft.address, text)
    setError(read.error)
    if (read.address !== undefined) save.submit(toRule(draft, read.address))
  }
  return (
    <Card>
      <Form onSubmit={submit} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={text.address} hint={text.addressHint} error={error}>
            <Input
              ref={address}
              type="url"
              inputMode="url"
              autoComplete="off"
              required
              value={draft.address}
              onChange={(event) => change({ address: event.target.value })}
            />
          </Field>
          <Field label={text.who}>
            <Select value={draft.agent} onChange={(event) => change({ agent: event.target.value })}>
              <option value="">{merchantsText.allAgents}</option>
              {agents
                .filter(({ revoked }) => !revoked)
                .map(({ client_id: id, label }) => (
                  <option key={id} value={id}>
                    {plainName(label)}
                  </option>
                ))}
            </Select>
          </Field>
        </div>
        <VerdictChoice verdict={draft.verdict} onChange={(verdict) => change({ verdict })} />
        <SaveRow label={text.save} saved={text.saved} save={save} />
      </Form>
      <RelaxedRuleDialog question={save.question} agents={agents} />
    </Card>
  )
}

function toRule({ agent, verdict }: Draft, address: string) {
  return { merchant_audience: address, verdict, ...(agent === '' ? {} : { agent_client_id: agent }) }
}

interface VerdictChoiceProps {
  readonly verdict: Draft['verdict']
  readonly onChange: (verdict: Draft['verdict']) => void
}

function VerdictChoice({ verdict, onChange }: VerdictChoiceProps) {
  const text = useText(merchantsTexts).form
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-3 font-medium">{text.verdict}</legend>
      {verdicts.map((option) => (
        <Choice
          key={option}
          id={`verdict-${option}`}
          kind="radio"
          name="verdict"
          value={option}
          label={text[option].label}
          hint={text[option].hint}
          checked={verdict === option}
          onChange={() => onChange(option)}
        />
      ))}
    </fieldset>
  )
}
