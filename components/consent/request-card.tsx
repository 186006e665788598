'use client'

import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { formatMoney } from '@/components/lib/money'
import { consentText } from './messages'
import { WaitingCard } from './waiting-card'

/** A request that waits, with the way to the page that decides it. */
export function RequestCard({ consent }: { readonly consent: PortalConsent }) {
  const { title, payee, name } = whatIsAsked(consent)
  const { review } = consentText.list
  return (
    <WaitingCard
      title={title}
      payee={payee}
      agent={consent.agent.label}
      until={consent.expires_at}
      href={`/approve/${encodeURIComponent(consent.authorization_id)}`}
      action={review}
      actionName={`${review} ${name}`}
    />
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
