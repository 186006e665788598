'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { formatMoney, parseMoney } from '@/components/lib/money'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { RequestFailure } from '@/components/ui/request-failure'
import { useTRPC } from '@/server/trpc/client'
import { CurrencySelect } from './currency-select'
import { exampleAmount } from './limits-draft'
import { limitsText } from './messages'

const text = limitsText.preview

const looks = {
  allowed: { icon: CircleCheck, tone: 'success' },
  asked: { icon: CircleHelp, tone: 'accent' },
  refused: { icon: CircleX, tone: 'danger' },
} as const

interface PurchasePreviewProps {
  readonly currency: string
}

/** The rules that decide about real payments, asked about one that is made up. */
export function PurchasePreview({ currency: initialCurrency }: PurchasePreviewProps) {
  const trpc = useTRPC()
  const [amount, setAmount] = useState(() => exampleAmount(initialCurrency))
  const [currency, setCurrency] = useState(initialCurrency)
  const minor = useDeferredValue(parseMoney(amount, currency))
  const askable = minor !== null && minor > 0
  const { data, error } = useQuery({
    ...trpc.limits.preview.queryOptions({ amount_minor: minor ?? 1, currency }),
    enabled: askable,
    placeholderData: keepPreviousData,
  })
  return (
    <Card className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label={text.amount}
          error={amount.trim() !== '' && !askable ? limitsText.form.badAmount(exampleAmount(currency)) : undefined}
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
      </div>
      {error === null ? null : <RequestFailure error={error} />}
      <div role="status" className="grid gap-1.5">
        {askable && data !== undefined ? (
          <>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="tabular-nums">{text.sentence(formatMoney(minor, currency))}</span>
              <Badge icon={looks[data.outcome].icon} tone={looks[data.outcome].tone}>
                {text.outcome[data.outcome]}
              </Badge>
            </p>
            <p className="text-muted">{data.reason}</p>
          </>
        ) : null}
      </div>
    </Card>
  )
}
