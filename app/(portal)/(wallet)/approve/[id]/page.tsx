import type { Metadata } from 'next'
import { ApproveView } from '@/components/approvals/approve-view'
import { consentTexts } from '@/components/approvals/messages'
import { RequestFacts } from '@/components/approvals/request-facts'
import { scopeTexts } from '@/components/approvals/scope-messages'
import { consentStatusTexts } from '@/components/approvals/status-messages'
import { readFormat, readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { BackLink } from '@/components/ui/page-header'
import { orNotFound, portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const consentText = await readText(consentTexts)
  return { title: consentText.title }
}

interface ApproveProps {
  readonly params: Promise<{ readonly id: string }>
}

export default async function Approve({ params }: ApproveProps) {
  const consentText = await readText(consentTexts)
  const { id } = await params
  const api = await portal()
  const { switches, passkeys } = await readMe()
  const consent = await orNotFound(api.approvals.one({ id }))
  return (
    <>
      {consent.approvals_on ? null : <SwitchedOff name="consent_scan" />}
      {switches.settlement ? null : <SwitchedOff name="settlement" />}
      <ApproveView
        id={id}
        initial={consent}
        facts={
          <RequestFacts
            consent={consent}
            text={consentText}
            scopeText={await readText(scopeTexts)}
            format={await readFormat()}
          />
        }
        back={<BackLink href="/approvals" label={consentText.back} />}
        statuses={await readText(consentStatusTexts)}
        passkeys={passkeys}
      />
    </>
  )
}
