'use client'

import { CircleCheck, CircleX, ClockAlert, IdCard } from 'lucide-react'
import { useText } from '@/components/i18n/locale-provider'
import type { OwnCredential } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Moment } from '@/components/ui/moment'
import { credentialsTexts } from './messages'
import { RevokeCredential } from './revoke-credential'

const looks = {
  active: { icon: CircleCheck, tone: 'success' },
  expired: { icon: ClockAlert, tone: 'neutral' },
  revoked: { icon: CircleX, tone: 'danger' },
} as const

interface CredentialRowProps {
  readonly credential: OwnCredential
  readonly onNews: (news: string) => void
}

/** Shows a credential: its kind, its validity, and the button that revokes it. */
export function CredentialRow({ credential, onNews }: CredentialRowProps) {
  const { kinds, issued: text } = useText(credentialsTexts)
  const { kind, status } = credential
  const { icon, tone } = looks[status]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 gap-3">
        <IdCard aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 gap-1">
          <p className="font-medium">{kinds[kind].name}</p>
          <p className="max-w-prose text-sm text-muted">{kinds[kind].body}</p>
          <p className="text-sm text-muted">
            {text.at} <Moment at={credential.issued_at} /> · <End credential={credential} />
          </p>
          <Badge icon={icon} tone={tone}>
            {text.statuses[status]}
          </Badge>
        </div>
      </div>
      {status === 'active' ? <RevokeCredential credential={credential} onNews={onNews} /> : null}
    </li>
  )
}

function End({ credential }: { readonly credential: OwnCredential }) {
  const text = useText(credentialsTexts).issued
  const { status, expires_at: expiresAt, revoked_at: revokedAt } = credential
  if (revokedAt !== null) {
    return (
      <>
        {text.revokedAt} <Moment at={revokedAt} />
      </>
    )
  }
  return (
    <>
      {status === 'expired' ? text.ended : text.until} <Moment at={expiresAt} style="date" />
    </>
  )
}
