'use client'

import { Clock } from 'lucide-react'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { formatMoney } from '@/components/lib/money'
import { ButtonLink } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { consentText } from './messages'
import { TimeLeft } from './time-left'

/** A request that waits, with the way to the page that decides it. */
export function RequestCard({ consent }: { readonly consent: PortalConsent }) {
  const what = whatIsAsked(consent)
  return (
    <li className="grid gap-4 rounded-card border border-line border-s-4 border-s-accent bg-surface p-5 shadow-card sm:flex sm:items-center sm:justify-between">
      <div className="grid min-w-0 gap-1">
        <p className="text-2xl font-semibold tracking-tight tabular-nums">{what.title}</p>
        {what.payee === null ? null : (
          <p className="wrap-anywhere">
            <span className="text-muted">{consentText.payTo}</span> <bdi className="font-medium">{what.payee}</bdi>
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">
          <span className="min-w-0 wrap-anywhere">
            {consentText.askedBy} <ForeignText text={consent.agent.label} />
          </span>
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden className="size-4 shrink-0" />
            <span>
              <TimeLeft until={consent.expires_at} /> {consentText.list.left}
            </span>
          </span>
        </p>
      </div>
      <ButtonLink
        href={`/approve/${encodeURIComponent(consent.authorization_id)}`}
        aria-label={`${consentText.list.review} ${what.name}`}
        className="sm:min-w-32"
      >
        {consentText.list.review}
      </ButtonLink>
    </li>
  )
}

interface Asked {
  readonly title: string
  readonly payee: string | null
  /** Both in one phrase. */
  readonly name: string
}

export function whatIsAsked(consent: PortalConsent): Asked {
  const { amount_minor: amount, currency, merchant_audience: audience } = consent
  if (amount === undefined || currency === undefined || audience === undefined) {
    return { title: consentText.list.access, payee: null, name: consentText.list.access }
  }
  const title = formatMoney(amount, currency)
  const payee = merchantName(consent.merchant_name, audience)
  return { title, payee, name: `${title} ${consentText.payTo} ${payee}` }
}
