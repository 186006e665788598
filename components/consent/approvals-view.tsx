'use client'

import { useQuery } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import { useWaitingCount } from '@/components/layout/live-provider'
import type { LimitBump, PortalConsent, SessionView } from '@/components/lib/api-types'
import { onWire } from '@/components/lib/on-wire'
import { BumpList } from '@/components/limits/bump-list'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { Tabs } from '@/components/ui/tabs'
import { useTRPC } from '@/server/trpc/client'
import { consentTexts } from './messages'
import { PastList } from './past-list'
import { WaitingList } from './waiting-list'

interface ApprovalsViewProps {
  readonly initialPast: { readonly past: PortalConsent[] }
  readonly initialBumps: { readonly limit_bumps: LimitBump[] }
  /** Names of agents by client id. */
  readonly agentNames: Readonly<Record<string, string>>
  readonly passkeys: SessionView['passkeys']
}

export function ApprovalsView({ initialPast, initialBumps, agentNames, passkeys }: ApprovalsViewProps) {
  const consentText = useText(consentTexts)
  const trpc = useTRPC()
  const waiting = useWaitingCount()
  const { data: past } = useQuery({ ...trpc.consents.past.queryOptions(), initialData: onWire(initialPast) })
  const { data: bumps } = useQuery({ ...trpc.limits.bumps.queryOptions(), initialData: onWire(initialBumps) })
  const open = bumps.limit_bumps.filter((bump) => bump.status === 'pending')
  const { list } = consentText
  return (
    <Tabs
      label={list.title}
      items={[
        { value: 'waiting', label: list.waiting, count: waiting, content: <Waiting passkeys={passkeys} /> },
        { value: 'decided', label: list.decided, content: <PastList past={past.past} /> },
        {
          value: 'limits',
          label: list.limitRequests,
          count: open.length,
          content: <BumpList bumps={open} agentNames={agentNames} />,
        },
      ]}
    />
  )
}

function Waiting({ passkeys }: Pick<ApprovalsViewProps, 'passkeys'>) {
  return (
    <div className="grid gap-4">
      <WaitingList />
      <AddPasskeyHint passkeys={passkeys} />
    </div>
  )
}
