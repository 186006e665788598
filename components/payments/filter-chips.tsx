'use client'

import { X } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import { plainName } from '@/components/lib/plain-text'
import { type PaymentFilter, paymentStatuses, queryOf } from './filter'
import { paymentsTexts } from './messages'

interface FilterChipsProps {
  readonly filter: PaymentFilter
  readonly agents: readonly { readonly client_id: string; readonly label: string }[]
}

/** What the list is narrowed to, each with the way to the list without it. */
export function FilterChips({ filter, agents }: FilterChipsProps) {
  const { chips, filters: text, status } = useText(paymentsTexts)
  const agent = agents.find(({ client_id: id }) => id === filter.agent)?.label ?? ''
  const known = paymentStatuses.find((one) => one === filter.status)
  const shown = [
    { member: 'q', words: filter.q === '' ? '' : `“${filter.q}”` },
    { member: 'status', words: known === undefined ? '' : status[known] },
    { member: 'agent', words: agent === '' ? '' : `${text.agent}: ${plainName(agent)}` },
    { member: 'merchant', words: filter.merchant === '' ? '' : `${text.merchant}: ${filter.merchant}` },
    { member: 'from', words: filter.from === '' ? '' : `${text.from} ${filter.from}` },
    { member: 'to', words: filter.to === '' ? '' : `${text.to} ${filter.to}` },
  ].filter(({ words }) => words !== '')
  if (shown.length === 0) return null
  return (
    <ul aria-label={chips.list} className="flex flex-wrap gap-2">
      {shown.map(({ member, words }) => (
        <li key={member}>
          <Link
            href={`/payments${queryOf({ ...filter, [member]: '' })}`}
            aria-label={chips.remove(words)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line bg-surface px-4 text-sm font-medium hover:border-control"
          >
            <bdi className="wrap-anywhere">{words}</bdi>
            <X aria-hidden className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
