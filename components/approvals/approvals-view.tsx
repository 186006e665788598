'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useWaitingCount } from '@/components/layout/live-provider'
import type { PastConsent, SessionView } from '@/components/lib/api-types'
import { AddPasskeyHint } from '@/components/security/add-passkey-hint'
import { Tabs } from '@/components/ui/tabs'
import { consentTexts } from './messages'
import { PastList } from './past-list'
import type { ToldBy } from './told-by'
import { WaitingList } from './waiting-list'

interface ApprovalsViewProps {
  /** The page of past approvals that the address names. */
  readonly page: number
  readonly initialPast: { readonly past: PastConsent[]; readonly more: boolean }
  readonly passkeys: SessionView['passkeys']
  readonly approvalsOn: boolean
  readonly told: ToldBy
}

export function ApprovalsView({ page, initialPast, ...standing }: ApprovalsViewProps) {
  const { list } = useText(consentTexts)
  const trpc = useTRPC()
  const waiting = useWaitingCount()
  const { data: past } = useQuery({ ...trpc.approvals.past.queryOptions({ page }), initialData: initialPast })
  return (
    <Tabs
      label={list.title}
      items={[
        { value: 'waiting', label: list.waiting, count: waiting, content: <Waiting {...standing} /> },
        { value: 'decided', label: list.decided, content: <PastList {...past} page={page} /> },
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
