'use client'

import { History } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { RowList } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { ConsentStatus } from './consent-status'
import { consentTexts } from './messages'
import { useWhatIsAsked } from './request-rows'

/** What was decided or ran out, newest first. */
export function PastList({ past }: { readonly past: readonly PortalConsent[] }) {
  const consentText = useText(consentTexts)
  if (past.length === 0) {
    const { title, body } = consentText.list.emptyDecided
    return (
      <EmptyState icon={History} title={title}>
        {body}
      </EmptyState>
    )
  }
  return (
    <RowList>
      {past.map((consent) => (
        <PastRow key={consent.authorization_id} consent={consent} />
      ))}
    </RowList>
  )
}

function PastRow({ consent }: { readonly consent: PortalConsent }) {
  const consentText = useText(consentTexts)
  const what = useWhatIsAsked(consent)
  const content = (
    <>
      <span className="grid min-w-0 gap-0.5">
        <span className="font-medium tabular-nums">{what.title}</span>
        <span className="wrap-anywhere text-sm text-muted">
          {what.payee === null ? null : (
            <>
              <bdi>{what.payee}</bdi> ·{' '}
            </>
          )}
          <ForeignText text={consent.agent.label} />
        </span>
      </span>
      <span className="grid justify-items-end gap-1 text-sm text-muted">
        <ConsentStatus status={consent.status} />
        <Moment at={consent.decided_at ?? consent.expires_at} />
      </span>
      {consent.status === 'expired' ? (
        <span className="col-span-2 text-sm text-muted">{consentText.list.notCharged}</span>
      ) : null}
    </>
  )
  const layout = 'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 px-5 py-4'
  // What has expired is over: its page is gone, and only the list still tells of it.
  return (
    <li>
      {consent.status === 'expired' ? (
        <div className={layout}>{content}</div>
      ) : (
        <Link href={`/approve/${encodeURIComponent(consent.authorization_id)}`} className={`${layout} hover:bg-sunken`}>
          {content}
        </Link>
      )}
    </li>
  )
}
