'use client'

import { Filter } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type SyntheticEvent, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { Button, ButtonLink } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { type PaymentFilter, paymentStatuses, queryOf } from './filter'
import { paymentsTexts } from './messages'

interface PaymentFiltersProps {
  readonly initial: PaymentFilter
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
}

/** The filters are the address of the page: they can be kept, shared and gone back to. */
export function PaymentFilters({ initial, agents }: PaymentFiltersProps) {
  const paymentsText = useText(paymentsTexts)
  const text = paymentsText.filters
  const router = useRouter()
  const [filter, setFilter] = useState(initial)
  const [error, setError] = useState<string | undefined>()
  const set = (member: keyof PaymentFilter) => (event: { target: { value: string } }) =>
    setFilter({ ...filter, [member]: event.target.value })
  const apply = (event: SyntheticEvent) => {
    event.preventDefault()
    const backwards = filter.from !== '' && filter.to !== '' && filter.to < filter.from
    setError(backwards ? text.order : undefined)
    if (!backwards) router.push(`/payments${queryOf(filter)}`)
  }
  const active = Object.values(initial).some((value) => value !== '')
  return (
    <details open={active} className="group rounded-card border border-line bg-surface shadow-card">
      <summary
        data-filter
        className="flex min-h-12 cursor-pointer list-none items-center gap-2.5 rounded-card px-5 font-medium"
      >
        <Filter aria-hidden className="size-4 text-muted" />
        {text.title}
      </summary>
      <form onSubmit={apply} noValidate className="grid gap-4 border-t border-line p-5 sm:grid-cols-2 lg:grid-cols-3">
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
        <Field label={text.agent}>
          <Select value={filter.agent} onChange={set('agent')}>
            <option value="">{text.any}</option>
            {agents.map((agent) => (
              <option key={agent.client_id} value={agent.client_id}>
                {plainName(agent.label)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={text.merchant} hint={text.merchantHint}>
          <Input type="url" value={filter.merchant} onChange={set('merchant')} />
        </Field>
        <Field label={text.from}>
          <Input type="date" value={filter.from} onChange={set('from')} />
        </Field>
        <Field label={text.to} error={error}>
          <Input type="date" value={filter.to} onChange={set('to')} />
        </Field>
        <div className="flex flex-wrap items-end gap-3">
          <Button type="submit">{text.apply}</Button>
          {active ? (
            <ButtonLink href="/payments" variant="secondary">
              {text.clear}
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </details>
  )
}
