'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { SpendingView } from '@/components/lib/api-types'
import { EmptyState } from '@/components/ui/empty-state'
import { RequestFailure } from '@/components/ui/request-failure'
import { PageSkeleton } from '@/components/ui/skeleton'
import { UnreadLink } from '@/components/ui/unread-link'
import { addressOfSpending, readSpendingChoice, type SpendingChoice, toSpendingInput } from './spending-address'
import { SpendingChoices } from './spending-choices'
import { SpendingIn } from './spending-in'
import { spendingTexts } from './spending-messages'

interface SpendingProps {
  /** The spending that the server read for the first address of the page; null when another tab was open. */
  readonly initial: { readonly choice: SpendingChoice; readonly view: SpendingView } | null
}

/** Shows the spending of a period beside the one before. The choice is kept in the address. */
export function Spending({ initial }: SpendingProps) {
  const { choice, unread } = readSpendingChoice(Object.fromEntries(useSearchParams()))
  const trpc = useTRPC()
  const isInitial = initial !== null && addressOfSpending(initial.choice) === addressOfSpending(choice)
  const { data, error } = useQuery({
    ...trpc.payments.spending.queryOptions(toSpendingInput(choice)),
    ...(isInitial ? { initialData: initial.view } : {}),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="grid gap-6">
      {unread ? <UnreadLink href={addressOfSpending(choice)} /> : null}
      <SpendingChoices choice={choice} days={data?.days ?? null} />
      {data === undefined ? <Waiting error={error} /> : <Shown spending={data} />}
    </div>
  )
}

function Waiting({ error }: Pick<Parameters<typeof RequestFailure>[0], 'error'>) {
  return error === null ? <PageSkeleton /> : <RequestFailure error={error} />
}

/** Shows one part per currency, since amounts in different currencies are never added up. */
function Shown({ spending }: { readonly spending: SpendingView }) {
  const text = useText(spendingTexts)
  return (
    <>
      {spending.currencies.length === 0 ? (
        <EmptyState icon={ChartColumn} title={text.none.title}>
          {text.none.body}
        </EmptyState>
      ) : (
        spending.currencies.map((own) => <SpendingIn key={own.currency} own={own} spending={spending} />)
      )}
      <p className="max-w-prose text-sm text-muted">{text.days(spending.time_zone)}</p>
    </>
  )
}
