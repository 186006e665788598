'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'

import { consentTexts } from './messages'
import { WaitingCard } from './waiting-card'

/** A request that waits, with the way to the page that decides it. */
export function RequestCard({ consent }: { readonly consent: PortalConsent }) {
  const consentText = useText(consentTexts)
  const { title, payee, name } = useWhatIsAsked(consent)
  const { review, overLimits } = consentText.list
  const { exceeds } = consent
  return (
    <WaitingCard
      title={title}
      payee={payee}
      agent={consent.agent.label}
      until={consent.expires_at}
      note={exceeds === undefined ? undefined : overLimits(exceeds.length)}
      href={`/approve/${encodeURIComponent(consent.authorization_id)}`}
      action={review}
      actionName={`${review} ${name}`}
    />
  )
}

interface RequestSummary {
  readonly title: string
  readonly payee: string | null
  /** Both in one phrase. */
  readonly name: string
}

/** What the request is for, in few words. */
export function useWhatIsAsked(consent: PortalConsent): RequestSummary {
  const consentText = useText(consentTexts)
  const format = useFormat()
  const { amount_minor: amount, currency, merchant_audience: audience } = consent
  if (amount === undefined || currency === undefined || audience === undefined) {
    return { title: consentText.list.access, payee: null, name: consentText.list.access }
  }
  const title = format.money(amount, currency)
  const payee = merchantName(consent.merchant_name, audience)
  return { title, payee, name: `${title} ${consentText.payTo} ${payee}` }
}
