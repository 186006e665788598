'use client'

import { BellOff, BellRing } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useSearchWords } from '@/components/lib/use-search-words'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Input } from '@/components/ui/field'
import { Segments } from '@/components/ui/segments'
import { SectionLink } from '@/components/ui/text-link'
import { findWaiting } from './find-waiting'
import { consentTexts } from './messages'
import type { ToldBy } from './told-by'
import { useWaiting, type WaitingItem } from './use-waiting'
import { useWaitingOrder } from './use-waiting-order'
import { WaitingRows } from './waiting-rows'

/** Loaded when the person chooses this layout. */
const WaitingByAgent = lazy(() => import('./waiting-by-agent').then(({ WaitingByAgent: view }) => ({ default: view })))

interface WaitingListProps {
  /** False while the operator has approvals switched off, so that nothing new comes. */
  readonly approvalsOn: boolean
  readonly told: ToldBy
}

/** The number of waiting items from which the list can be searched. */
const SEARCHED_FROM = 6

/** Lists what waits for the person, the earliest to expire first; it updates by itself. */
export function WaitingList({ approvalsOn, told }: WaitingListProps) {
  const items = useWaiting()
  if (items.length > 0) return <Items items={items} />
  return approvalsOn ? <NothingWaits told={told} /> : null
}

function Items({ items }: { readonly items: readonly WaitingItem[] }) {
  const { list } = useText(consentTexts)
  const [order, setOrder] = useWaitingOrder()
  const [typed, setTyped] = useSearchWords()
  const searched = items.length >= SEARCHED_FROM || typed !== ''
  const found = findWaiting(items, searched ? typed : '')
  return (
    <div className="grid gap-4">
      <div className="grid items-end gap-4 sm:grid-cols-2">
        <Segments
          label={list.order.label}
          value={order}
          onChange={setOrder}
          items={[
            { value: 'time', label: list.order.time },
            { value: 'agent', label: list.order.agent },
          ]}
        />
        {searched ? (
          <Field label={list.search}>
            <Input
              type="search"
              data-filter
              autoComplete="off"
              maxLength={200}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
        ) : null}
      </div>
      <p role="status" className="text-muted empty:hidden">
        {found.length === 0 ? list.nothingFound : null}
      </p>
      {order === 'agent' ? (
        <Suspense fallback={null}>
          <WaitingByAgent items={found} />
        </Suspense>
      ) : (
        <WaitingRows items={found} />
      )}
    </div>
  )
}

function NothingWaits({ told }: Pick<WaitingListProps, 'told'>) {
  const text = useText(consentTexts).list.emptyWaiting
  const Icon = told === 'nothing' ? BellOff : BellRing
  return (
    <EmptyState
      icon={Icon}
      title={text.title}
      action={<SectionLink href="/settings/notifications">{text.change}</SectionLink>}
    >
      {text.told[told]}
    </EmptyState>
  )
}
