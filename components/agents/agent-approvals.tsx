'use client'

import Link from 'next/link'
import { ConsentStatus } from '@/components/approvals/consent-status'
import { useText } from '@/components/i18n/locale-provider'
import type { AgentView } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { Moment } from '@/components/ui/moment'
import { Money } from '@/components/ui/money'
import { agentsTexts } from './messages'

type Approval = AgentView['recent_approvals'][number]

/** Lists the agent's approvals, newest first. */
export function AgentApprovals({ approvals }: { readonly approvals: readonly Approval[] }) {
  const text = useText(agentsTexts).one
  if (approvals.length === 0) return <p className="text-muted">{text.noApprovals}</p>
  return (
    <RowList aria-label={text.approvals}>
      {approvals.map((approval) => (
        <li key={approval.authorization_id}>
          <Link
            href={`/approve/${encodeURIComponent(approval.authorization_id)}`}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-5 py-4 hover:bg-sunken"
          >
            <ApprovalRow approval={approval} />
          </Link>
        </li>
      ))}
    </RowList>
  )
}

function ApprovalRow({ approval }: { readonly approval: Approval }) {
  const text = useText(agentsTexts).one
  const { amount_minor: minor, currency, merchant_audience: audience, merchant_name: name } = approval
  return (
    <>
      <span className="font-medium">
        {minor === null || currency === null ? text.accessAsked : <Money minor={minor} currency={currency} />}
      </span>
      <ConsentStatus status={approval.status} />
      <span className="col-span-2 wrap-anywhere text-sm text-muted">
        {audience === null ? null : (
          <>
            <bdi>{merchantName(name, audience)}</bdi> ·{' '}
          </>
        )}
        <Moment at={approval.created_at} />
      </span>
    </>
  )
}
