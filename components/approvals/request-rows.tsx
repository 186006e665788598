'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { RowList } from '@/components/ui/card'
import { consentTexts } from './messages'
import { WaitingRow } from './waiting-row'

interface RequestRowsProps {
  readonly consents: readonly PortalConsent[]
}

/** Requests that wait, each with the way to the page that decides it. */
export function RequestRows({ consents }: RequestRowsProps) {
  const { list } = useText(consentTexts)
  if (consents.length === 0) return null
  return (
    <RowList aria-label={list.waiting}>
      {consents.map((consent) => (
        <RequestRow key={consent.authorization_id} consent={consent} />
      ))}
    </RowList>
  )
}

function RequestRow({ consent }: { readonly consent: PortalConsent }) {
  const { overLimits } = useText(consentTexts).list
  const { title, payee } = useWhatIsAsked(consent)
  const { exceeds } = consent
  return (
    <WaitingRow
      title={title}
      payee={payee}
      agent={consent.agent.label}
      until={consent.expires_at}
      note={exceeds === undefined ? undefined : overLimits(exceeds.length)}
      href={`/approve/${encodeURIComponent(consent.authorization_id)}`}
    />
  )
}

interface RequestSummary {
  readonly title: string
  readonly payee: string | null
}

/** What the request is for, in few words. */
export function useWhatIsAsked(consent: PortalConsent): RequestSummary {
  const consentText = useText(consentTexts)
  const format = useFormat()
  const { amount_minor: amount, currency, merchant_audience: audience } = consent
  if (amount === undefined || currency === undefined || audience === undefined) {
    return { title: consentText.list.access, payee: null }
  }
  return { title: format.money(amount, currency), payee: merchantName(consent.merchant_name, audience) }
}
