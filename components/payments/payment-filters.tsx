'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import { Field, Input } from '@/components/ui/field'
import { AgentFilter, FilterForm } from '@/components/ui/filter-form'
import { Select } from '@/components/ui/select'
import { isMerchantAddress, type PaymentFilter, paymentStatuses, queryOf } from './filter'
import { paymentsTexts } from './messages'

interface PaymentFiltersProps {
  readonly initial: PaymentFilter
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
}

type FilterErrors = Partial<Record<'merchant' | 'to', string>>

/** What of the filter makes no sense. */
function errorsOf({ merchant, from, to }: PaymentFilter, text: TextOf<typeof paymentsTexts>['filters']): FilterErrors {
  return {
    ...(merchant === '' || isMerchantAddress(merchant) ? {} : { merchant: text.wholeAddress }),
    ...(from === '' || to === '' || from <= to ? {} : { to: text.order }),
  }
}

/** The filters are the address of the page: they can be kept, shared and gone back to. */
export function PaymentFilters({ initial, agents }: PaymentFiltersProps) {
  const paymentsText = useText(paymentsTexts)
  const text = paymentsText.filters
  const router = useRouter()
  const [filter, setFilter] = useState(initial)
  const [errors, setErrors] = useState<FilterErrors>({})
  const set = (member: keyof PaymentFilter) => (event: { target: { value: string } }) =>
    setFilter({ ...filter, [member]: event.target.value })
  const apply = () => {
    const found = errorsOf(filter, text)
    setErrors(found)
    if (Object.keys(found).length === 0) router.push(`/payments${queryOf(filter)}`)
  }
  const active = Object.entries(initial).some(([member, value]) => member !== 'q' && value !== '')
  return (
    <FilterForm text={text} active={active} href="/payments" className="lg:grid-cols-3" onApply={apply}>
      <Field label={text.status}>
        <Select value={filter.status} onChange={set('status')}>
          <option value="">{text.any}</option>
          {paymentStatuses.map((status) => (
            <option key={status} value={status}>
              {paymentsText.status[status]}
            </option>
          ))}
        </Select>
      </Field>
      <AgentFilter
        text={text}
        agents={agents}
        value={filter.agent}
        onChange={(agent) => setFilter({ ...filter, agent })}
      />
      <Field label={text.merchant} hint={text.merchantHint} error={errors.merchant}>
        <Input type="url" value={filter.merchant} onChange={set('merchant')} />
      </Field>
      <Field label={text.from} hint={text.days}>
        <Input type="date" value={filter.from} onChange={set('from')} />
      </Field>
      <Field label={text.to} hint={text.days} error={errors.to}>
        <Input type="date" value={filter.to} onChange={set('to')} />
      </Field>
    </FilterForm>
  )
}
