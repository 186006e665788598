'use client'

import { History } from 'lucide-react'
import Link from 'next/link'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { PastConsent } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { consentTexts } from './messages'
import { consentStatusTexts } from './status-messages'
import { useDescribe } from './use-waiting'

interface PastListProps {
  readonly past: readonly PastConsent[]
  readonly page: number
  /** Whether the next page has older ones. */
  readonly more: boolean
}

/** Lists the approvals that were decided or expired, newest first, by page. */
export function PastList({ past, page, more }: PastListProps) {
  const { list } = useText(consentTexts)
  if (past.length === 0 && page > 1) {
    return (
      <EmptyState
        icon={History}
        title={list.emptyPage.title}
        action={<PageLink page={1} label={list.emptyPage.first} />}
      >
        {list.emptyPage.body}
      </EmptyState>
    )
  }
  if (past.length === 0) {
    const { title, body, waiting } = list.emptyDecided
    return (
      <EmptyState icon={History} title={title} action={<ButtonLink href="/approvals">{waiting}</ButtonLink>}>
        {body}
      </EmptyState>
    )
  }
  return (
    <div className="grid gap-4">
      <RowList aria-label={list.decided}>
        {past.map((consent) => (
          <PastRow key={consent.authorization_id} consent={consent} />
        ))}
      </RowList>
      {page === 1 && !more ? null : (
        <nav aria-label={list.pages} className="flex justify-between gap-4">
          {page === 1 ? <span /> : <PageLink page={page - 1} label={list.newer} />}
          {more ? <PageLink page={page + 1} label={list.older} /> : null}
        </nav>
      )}
    </div>
  )
}

function PageLink({ page, label }: { readonly page: number; readonly label: string }) {
  return (
    <ButtonLink href={`/approvals?tab=decided${page === 1 ? '' : `&page=${page}`}`} variant="secondary">
      {label}
    </ButtonLink>
  )
}

function PastRow({ consent }: { readonly consent: PastConsent }) {
  const text = useText(consentTexts)
  const statusText = useText(consentStatusTexts)
  const what = useDescribe()(consent)
  return (
    <li>
      <Link
        href={`/approve/${encodeURIComponent(consent.authorization_id)}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 px-5 py-4 hover:bg-sunken"
      >
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
        <span className="text-sm text-muted">
          <Moment at={consent.decided_at ?? consent.expires_at} />
        </span>
        <span className="col-span-2 text-sm font-medium">
          {decisionOf(consent, text) ?? statusText[consent.status]}
        </span>
      </Link>
    </li>
  )
}

/** Returns who decided and how, in words; null where it is not known. */
function decisionOf(
  { status, decided_via: via, method }: PastConsent,
  { decided, withdrawn }: TextOf<typeof consentTexts>,
): string | null {
  if (status === 'approved') return approvalOf({ via, method }, decided)
  if (status === 'declined') {
    if (via === 'agent_revoked') return decided.agent_revoked
    return via === 'token' ? decided.declinedElsewhere : decided.declined
  }
  if (status === 'expired') return decided.expired
  if (via === 'frozen' || via === 'paused' || via === 'restricted' || via === 'presented') return withdrawn.why[via]
  return null
}

function approvalOf(
  { via, method }: { readonly via: PastConsent['decided_via']; readonly method: PastConsent['method'] },
  decided: TextOf<typeof consentTexts>['decided'],
): string {
  if (method === 'passkey' || method === 'wallet_presentation') return decided[method]
  return via === 'token' ? decided.approvedElsewhere : decided.approved
}
