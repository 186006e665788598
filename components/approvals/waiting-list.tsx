'use client'

import { BellOff, BellRing } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useBumps, usePending, useStepUps, useWaitingCount } from '@/components/layout/live-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { ConfirmRows } from '@/components/payments/confirm-rows'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Input } from '@/components/ui/field'
import { Segments } from '@/components/ui/segments'
import { SectionLink } from '@/components/ui/text-link'
import { consentTexts } from './messages'
import { RequestRows } from './request-rows'
import type { ToldBy } from './told-by'
import { useFoundRequests } from './use-found-requests'
import { useWaitingOrder } from './use-waiting-order'

/** Only once somebody asks for it. */
const RequestsByAgent = lazy(() =>
  import('./requests-by-agent').then(({ RequestsByAgent: view }) => ({ default: view })),
)

/** Only once there is something to list. */
const BumpList = lazy(() => import('@/components/limits/bump-list').then(({ BumpList: list }) => ({ default: list })))

interface WaitingListProps {
  /** False while the operator has approvals switched off: nobody then knows what waits. */
  readonly approvalsOn: boolean
  readonly told: ToldBy
}

/** From so many requests on, they can be searched. */
const SEARCHED_FROM = 6

/** What waits for the person, what ends first before the others; it changes without anybody reloading the page. */
export function WaitingList({ approvalsOn, told }: WaitingListProps) {
  const pending = usePending()
  const stepUps = useStepUps()
  const isEmpty = useWaitingCount() === 0
  return (
    <div className="grid gap-4">
      {isEmpty && approvalsOn ? <NothingWaits told={told} /> : null}
      <ConfirmRows stepUps={stepUps} />
      <WaitingBumps />
      <Requests pending={pending} />
    </div>
  )
}

function Requests({ pending }: { readonly pending: readonly PortalConsent[] }) {
  const { list } = useText(consentTexts)
  const [order, setOrder] = useWaitingOrder()
  const [typed, setTyped] = useState('')
  const searched = pending.length >= SEARCHED_FROM || typed !== ''
  const found = useFoundRequests(pending, searched ? typed : '')
  if (pending.length === 0) return null
  return (
    <>
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
          <RequestsByAgent consents={found} />
        </Suspense>
      ) : (
        <RequestRows consents={found} />
      )}
    </>
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
      <p>{text.body}</p>
      <p>{text.told[told]}</p>
    </EmptyState>
  )
}

/** Payments that met a limit when they were charged. Stays once it was there, to say what was decided. */
export function WaitingBumps() {
  const bumps = useBumps()
  const [wanted, setWanted] = useState(bumps.length > 0)
  if (bumps.length > 0 && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <BumpList bumps={bumps} />
    </Suspense>
  )
}
