'use client'

import { X } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PartiesView } from '@/components/lib/api-types'
import { SectionLink } from '@/components/ui/text-link'
import { type PaymentFilter, paymentStatuses, queryOf } from './filter'
import { filterTexts } from './filter-messages'
import { agentParties, merchantParties, nameOf } from './parties'
import { paymentStatusTexts } from './status-messages'

interface FilterChipsProps {
  readonly filter: PaymentFilter
  readonly parties: PartiesView
}

/** Shows each filter of the list, with a link to the list without it. */
export function FilterChips({ filter, parties }: FilterChipsProps) {
  const text = useText(filterTexts)
  const shown = useChips(filter, parties)
  if (shown.length === 0) return null
  return (
    <ul aria-label={text.list} className="flex flex-wrap gap-2">
      {shown.map(({ member, words }) => (
        <li key={member}>
          <Link
            href={`/payments${queryOf({ ...filter, [member]: '' })}`}
            scroll={false}
            aria-label={text.remove(words)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line bg-surface px-4 text-sm font-medium hover:border-control"
          >
            <bdi className="wrap-anywhere">{words}</bdi>
            <X aria-hidden className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
      <li>
        <SectionLink href="/payments" scroll={false} className="px-2">
          {text.clear}
        </SectionLink>
      </li>
    </ul>
  )
}

interface Chip {
  readonly member: keyof PaymentFilter
  readonly words: string
}

/** Returns each part of the filter in words. */
function useChips(filter: PaymentFilter, parties: PartiesView): Chip[] {
  const text = useText(filterTexts)
  const status = useText(paymentStatusTexts)
  const { time } = useFormat()
  const known = paymentStatuses.find((one) => one === filter.status)
  const dateOf = (day: string) => time(`${day}T00:00:00Z`, 'date', 'UTC')
  const chips: Chip[] = [
    { member: 'q', words: `“${filter.q}”` },
    { member: 'status', words: known === undefined ? '' : status[known] },
    { member: 'agent', words: `${text.agent}: ${nameOf(agentParties(parties), filter.agent) ?? filter.agent}` },
    {
      member: 'merchant',
      words: `${text.merchant}: ${nameOf(merchantParties(parties), filter.merchant) ?? filter.merchant}`,
    },
    { member: 'from', words: filter.from === '' ? '' : `${text.from} ${dateOf(filter.from)}` },
    { member: 'to', words: filter.to === '' ? '' : `${text.to} ${dateOf(filter.to)}` },
  ]
  return chips.filter(({ member }) => filter[member] !== '')
}
