'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { LimitsPreview, LimitsView, PreviewReason } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { plainName } from '@/components/lib/plain-text'
import { parseMoney } from '@/components/lib/typed-money'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { RequestFailure } from '@/components/ui/request-failure'
import { Select } from '@/components/ui/select'
import { CurrencySelect } from './currency-select'
import { exampleAmount } from './limits-draft'
import { limitsTexts } from './messages'

const looks = {
  allowed: { icon: CircleCheck, tone: 'success' },
  asked: { icon: CircleHelp, tone: 'accent' },
  refused: { icon: CircleX, tone: 'danger' },
} as const

interface PurchasePreviewProps extends Pick<LimitsView, 'agents' | 'merchants'> {
  readonly currency: string
}

/** The rules that decide about real payments, asked about one that is made up. */
export function PurchasePreview({ currency: initialCurrency, agents, merchants }: PurchasePreviewProps) {
  const limitsText = useText(limitsTexts)
  const text = limitsText.preview
  const locale = useLocale()
  const trpc = useTRPC()
  const [amount, setAmount] = useState(() => exampleAmount(initialCurrency, locale))
  const [currency, setCurrency] = useState(initialCurrency)
  const [agent, setAgent] = useState('')
  const [merchant, setMerchant] = useState('')
  const minor = useDeferredValue(parseMoney(amount, currency, locale))
  const askable = minor !== null && minor > 0
  const { data, error } = useQuery({
    ...trpc.limits.preview.queryOptions({
      amount_minor: minor ?? 1,
      currency,
      ...(agent !== '' && { client_id: agent }),
      ...(merchant !== '' && { merchant_audience: merchant }),
    }),
    enabled: askable,
    placeholderData: keepPreviousData,
  })
  return (
    <Card className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label={text.amount}
          error={
            amount.trim() !== '' && !askable ? limitsText.form.badAmount(exampleAmount(currency, locale)) : undefined
          }
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            className="tabular-nums"
          />
        </Field>
        <Field label={limitsText.form.currency}>
          <CurrencySelect value={currency} onChange={setCurrency} />
        </Field>
        <Choose
          label={text.agent}
          any={text.anyAgent}
          value={agent}
          onChange={setAgent}
          options={agentOptions(agents)}
        />
        <Choose
          label={text.merchant}
          any={text.anyMerchant}
          value={merchant}
          onChange={setMerchant}
          options={merchantOptions(merchants)}
        />
      </div>
      {error === null ? null : <RequestFailure error={error} />}
      <div role="status" className="grid min-h-24 content-start gap-1.5 border-t border-line pt-5 sm:min-h-20">
        {askable && data !== undefined ? <Outcome preview={data} minor={minor} currency={currency} /> : null}
      </div>
    </Card>
  )
}

interface OutcomeProps {
  readonly preview: LimitsPreview
  readonly minor: number
  readonly currency: string
}

function Outcome({ preview, minor, currency }: OutcomeProps) {
  const format = useFormat()
  const text = useText(limitsTexts).preview
  const reasonOf = useReason()
  const { icon, tone } = looks[preview.outcome]
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="tabular-nums">{text.sentence(format.money(minor, currency))}</span>
        <Badge icon={icon} tone={tone}>
          {text.outcome[preview.outcome]}
        </Badge>
      </p>
      <p className="text-muted">{reasonOf(preview.reason)}</p>
    </>
  )
}

/** Writes the rule that decides. */
function useReason(): (reason: PreviewReason) => string {
  const format = useFormat()
  const { preview: text, bumps } = useText(limitsTexts)
  return (reason) => {
    if (reason.code === 'currency') return text.currency[reason.scope](reason.currency)
    if (reason.code !== 'limit') return text.reason[reason.code]
    const { scope, kind, current, requested, currency } = reason
    const amount = (value: number) => (kind === 'velocity' ? bumps.payments(value) : format.money(value, currency))
    return text.limit[scope][kind](amount(current), amount(requested))
  }
}

interface ChooseProps {
  readonly label: string
  /** What stands for leaving it open. */
  readonly any: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

function Choose({ label, any, value, onChange, options }: ChooseProps) {
  return (
    <Field label={label}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}

const agentOptions = (agents: LimitsView['agents']) =>
  agents.map(({ client_id: value, label }) => ({ value, label: plainName(label) }))

const merchantOptions = (merchants: LimitsView['merchants']) =>
  merchants.map(({ merchant_audience: value, merchant_name: name }) => ({ value, label: merchantName(name, value) }))
