'use client'

import type { ComponentProps } from 'react'
import type { PartiesView } from '@/components/lib/api-types'
import { UnreadLink } from '@/components/ui/unread-link'
import { FilterChips } from './filter-chips'
import { PaymentFilters } from './payment-filters'
import { PaymentsView } from './payments-view'

interface PaymentsListProps extends ComponentProps<typeof PaymentsView> {
  readonly parties: PartiesView
  /** Whether the address holds a filter that could not be read. */
  readonly unread: boolean
}

/** Shows the payments with their filters. */
export function PaymentsList({ parties, unread, ...view }: PaymentsListProps) {
  const { filter } = view
  return (
    <div className="grid gap-4">
      {unread ? <UnreadLink href="/payments" /> : null}
      <PaymentFilters filter={filter} parties={parties} />
      <FilterChips filter={filter} parties={parties} />
      <PaymentsView {...view} />
    </div>
  )
}
