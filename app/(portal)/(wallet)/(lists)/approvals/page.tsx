import type { Metadata } from 'next'
import { ApprovalsView } from '@/components/approvals/approvals-view'
import { consentTexts } from '@/components/approvals/messages'
import { toldBy } from '@/components/approvals/told-by'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { PageHeader } from '@/components/ui/page-header'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const { list } = await readText(consentTexts)
  return { title: list.title, description: list.description }
}

export default async function Approvals() {
  const { list } = await readText(consentTexts)
  const api = await portal()
  const [me, contacts, past] = await Promise.all([readMe(), api.notifications.contacts(), api.approvals.past()])
  return (
    <>
      <PageHeader title={list.title} description={list.description} />
      {me.switches.consent_scan ? null : <SwitchedOff name="consent_scan" />}
      <ApprovalsView
        initialPast={past}
        passkeys={me.passkeys}
        approvalsOn={me.switches.consent_scan}
        told={toldBy(contacts)}
      />
    </>
  )
}
