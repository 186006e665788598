'use client'

import { BellOff, BellRing } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useBumps, usePending, useStepUps, useWaitingCount } from '@/components/layout/live-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { ConfirmCards } from '@/components/payments/confirm-cards'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { SectionLink } from '@/components/ui/text-link'
import { consentTexts } from './messages'
import { RequestCard } from './request-card'
import type { ToldBy } from './told-by'

/** Only once there is something to list. */
const BumpList = lazy(() => import('@/components/limits/bump-list').then(({ BumpList: list }) => ({ default: list })))

interface WaitingListProps {
  /** False while the operator has approvals switched off: nobody then knows what waits. */
  readonly approvalsOn: boolean
  readonly told: ToldBy
}

/** What waits for the person, newest first; it changes without anybody reloading the page. */
export function WaitingList({ approvalsOn, told }: WaitingListProps) {
  const { list } = useText(consentTexts)
  const pending = usePending()
  const stepUps = useStepUps()
  const [chosen, setChosen] = useState('')
  const agents = agentsOf(pending)
  const shown = agents.has(chosen) ? pending.filter((consent) => consent.agent.client_id === chosen) : pending
  const isEmpty = useWaitingCount() === 0
  return (
    <div className="grid gap-4">
      {isEmpty && approvalsOn ? <NothingWaits told={told} /> : null}
      <ConfirmCards stepUps={stepUps} />
      <WaitingBumps />
      {agents.size > 1 ? (
        <Field label={list.filter} className="sm:max-w-64">
          <Select value={agents.has(chosen) ? chosen : ''} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{list.allAgents}</option>
            {[...agents].map(([id, label]) => (
              <option key={id} value={id}>
                {plainName(label)}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      <RequestCards consents={shown} />
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

export function RequestCards({ consents }: { readonly consents: readonly PortalConsent[] }) {
  const { list } = useText(consentTexts)
  if (consents.length === 0) return null
  return (
    <ul aria-label={list.waiting} className="grid gap-4">
      {consents.map((consent) => (
        <RequestCard key={consent.authorization_id} consent={consent} />
      ))}
    </ul>
  )
}

function agentsOf(pending: readonly PortalConsent[]): ReadonlyMap<string, string> {
  return new Map(pending.map(({ agent }) => [agent.client_id, agent.label]))
}
