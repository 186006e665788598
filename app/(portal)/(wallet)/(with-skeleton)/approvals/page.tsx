import type { Metadata } from 'next'
import { ApprovalsView } from '@/components/approvals/approvals-view'
import { consentTexts } from '@/components/approvals/messages'
import { toldBy } from '@/components/approvals/told-by'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { readMember, type Search } from '@/components/lib/read-member'
import { PageHeader } from '@/components/ui/page-header'
import { UnreadLink } from '@/components/ui/unread-link'
import { portal, readMe } from '@/server/transport/trpc/rsc'
import { PAST_PAGES } from '@/server/wallet/approvals/contract'

export async function generateMetadata(): Promise<Metadata> {
  const { list } = await readText(consentTexts)
  return { title: list.title, description: list.description }
}

interface ApprovalsProps {
  readonly searchParams: Promise<Search>
}

export default async function Approvals({ searchParams }: ApprovalsProps) {
  const { list } = await readText(consentTexts)
  const asked = readMember(await searchParams, 'page', isPage)
  const page = Number(asked || 1)
  const api = await portal()
  const [me, contacts, past] = await Promise.all([readMe(), api.notifications.contacts(), api.approvals.past({ page })])
  return (
    <>
      <PageHeader title={list.title} description={list.description} />
      {me.switches.consent_scan ? null : <SwitchedOff name="consent_scan" />}
      {asked === null ? <UnreadLink href="/approvals?tab=decided" /> : null}
      <ApprovalsView
        key={page}
        page={page}
        initialPast={past}
        passkeys={me.passkeys}
        approvalsOn={me.switches.consent_scan}
        told={toldBy(contacts)}
      />
    </>
  )
}

const isPage = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= PAST_PAGES
