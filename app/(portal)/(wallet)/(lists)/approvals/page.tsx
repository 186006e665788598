import type { Metadata } from 'next'
import { ApprovalsView } from '@/components/consent/approvals-view'
import { consentText } from '@/components/consent/messages'
import { SwitchedOff } from '@/components/layout/switched-off'
import { PageHeader } from '@/components/ui/page-header'
import { portal } from '@/server/trpc/rsc'

const { list } = consentText

export const metadata: Metadata = { title: list.title }

export default async function Approvals() {
  const api = await portal()
  const [me, past, bumps, { agents }] = await Promise.all([
    api.session.me(),
    api.consents.past(),
    api.limits.bumps(),
    api.agents.list(),
  ])
  const agentNames = Object.fromEntries(agents.map((agent) => [agent.client_id, agent.label]))
  return (
    <>
      <PageHeader title={list.title} description={list.description} />
      {me.switches.consent_scan ? null : <SwitchedOff name="consent_scan" />}
      <ApprovalsView initialPast={past} initialBumps={bumps} agentNames={agentNames} />
    </>
  )
}
