'use client'

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useWaitingCount } from '@/components/layout/live-provider'
import type { LimitBump, PortalConsent, SessionView } from '@/components/lib/api-types'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { Tabs } from '@/components/ui/tabs'
import { consentTexts } from './messages'
import { PastList } from './past-list'
import type { ToldBy } from './told-by'
import { WaitingList } from './waiting-list'

/** Only with the tab that shows it. */
const BumpList = lazy(() => import('@/components/limits/bump-list').then(({ BumpList: list }) => ({ default: list })))

interface ApprovalsViewProps {
  readonly initialPast: { readonly past: PortalConsent[] }
  readonly initialBumps: { readonly limit_bumps: LimitBump[] }
  /** Names of agents by client id. */
  readonly agentNames: Readonly<Record<string, string>>
  readonly passkeys: SessionView['passkeys']
  readonly approvalsOn: boolean
  readonly told: ToldBy
}

export function ApprovalsView({ initialPast, initialBumps, agentNames, ...standing }: ApprovalsViewProps) {
  const consentText = useText(consentTexts)
  const trpc = useTRPC()
  const waiting = useWaitingCount()
  const { data: past } = useQuery({ ...trpc.approvals.past.queryOptions(), initialData: initialPast })
  const { data: bumps } = useQuery({ ...trpc.limits.bumps.queryOptions(), initialData: initialBumps })
  const open = bumps.limit_bumps.filter((bump) => bump.status === 'pending')
  const { list } = consentText
  return (
    <Tabs
      label={list.title}
      items={[
        { value: 'waiting', label: list.waiting, count: waiting, content: <Waiting {...standing} /> },
        { value: 'decided', label: list.decided, content: <PastList past={past.past} /> },
        {
          value: 'limits',
          label: list.limitRequests,
          count: open.length,
          content: (
            <Suspense fallback={null}>
              <BumpList bumps={open} agentNames={agentNames} />
            </Suspense>
          ),
        },
      ]}
    />
  )
}

function Waiting({ passkeys, ...rest }: Pick<ApprovalsViewProps, 'passkeys' | 'approvalsOn' | 'told'>) {
  return (
    <div className="grid gap-4">
      <WaitingList {...rest} />
      <AddPasskeyHint passkeys={passkeys} />
    </div>
  )
}
