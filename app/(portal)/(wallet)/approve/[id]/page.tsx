import type { Metadata } from 'next'
import { ApproveView } from '@/components/approvals/approve-view'
import { consentTexts } from '@/components/approvals/messages'
import { RequestFacts } from '@/components/approvals/request-facts'
import { scopeTexts } from '@/components/approvals/scope-messages'
import { consentStatusTexts } from '@/components/approvals/status-messages'
import { readFormat, readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import type { Search } from '@/components/lib/read-member'
import { Notice } from '@/components/ui/notice'
import { BackLink } from '@/components/ui/page-header'
import { AFTER_SIGN_IN } from '@/server/base/core/sign-in-input'
import { orNotFound, portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const consentText = await readText(consentTexts)
  return { title: consentText.title }
}

interface ApproveProps {
  readonly params: Promise<{ readonly id: string }>
  readonly searchParams: Promise<Search>
}

export default async function Approve({ params, searchParams }: ApproveProps) {
  const consentText = await readText(consentTexts)
  const [{ id }, { from }] = await Promise.all([params, searchParams])
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
        notice={
          from === AFTER_SIGN_IN ? (
            <Notice tone="info" role="status" title={consentText.signedIn[consent.kind]} />
          ) : null
        }
        statuses={await readText(consentStatusTexts)}
        passkeys={passkeys}
      />
    </>
  )
}
