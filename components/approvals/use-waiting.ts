'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { useBumps, usePending, useStepUps } from '@/components/layout/live-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { readOrigin } from '@/components/lib/origin'
import { plainHost } from '@/components/lib/plain-text'
import { consentTexts } from './messages'

/** Something that waits for the person: an approval, a limit request or a payment whose bank wants a challenge. */
export interface WaitingItem {
  /** The address of the page where the person answers. */
  readonly href: string
  /** The amount, or what is requested instead. */
  readonly title: string
  readonly payee: string | null
  /** Whether nobody has verified the payee, whose host is shown then. */
  readonly isUnverified: boolean
  /** The agent's name. */
  readonly agent: string
  readonly clientId: string
  readonly amount: { readonly minor: number; readonly currency: string } | null
  readonly until: string
  /** A note for the row, such as "over a limit". */
  readonly note?: string | undefined
  /** The approval, where the item is one; else null. */
  readonly consent: PortalConsent | null
}

/** Returns all that waits for the person, the earliest to expire first. */
export function useWaiting(): readonly WaitingItem[] {
  const items = [...useRequests(), ...useOverLimits(), ...useBankSteps()]
  return items.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until))
}

function useRequests(): readonly WaitingItem[] {
  const { overLimits } = useText(consentTexts).list
  const describe = useDescribe()
  return usePending().map((consent) => {
    const { amount_minor: minor, currency, exceeds } = consent
    return {
      href: `/approve/${encodeURIComponent(consent.authorization_id)}`,
      title: describe(consent).title,
      ...payeeOf(consent),
      agent: consent.agent.label,
      clientId: consent.agent.client_id,
      amount: minor === undefined || currency === undefined ? null : { minor, currency },
      until: consent.expires_at,
      note: exceeds === undefined ? undefined : overLimits(exceeds.length),
      consent,
    }
  })
}

function useOverLimits(): readonly WaitingItem[] {
  const { refusedOverLimits } = useText(consentTexts).list
  const format = useFormat()
  return useBumps().map((bump) => ({
    href: `/approve/limit/${encodeURIComponent(bump.id)}`,
    title: format.money(bump.amount_minor, bump.currency),
    ...payeeOf(bump),
    agent: bump.agent_label,
    clientId: bump.agent_client_id,
    amount: { minor: bump.amount_minor, currency: bump.currency },
    until: bump.expires_at,
    note: refusedOverLimits(bump.exceeds.length),
    consent: null,
  }))
}

function useBankSteps(): readonly WaitingItem[] {
  const { confirmAtBank } = useText(consentTexts).list
  const format = useFormat()
  return useStepUps().map((stepUp) => ({
    href: `/payments/confirm/${encodeURIComponent(stepUp.settlement_id)}`,
    title: format.money(stepUp.amount_minor, stepUp.currency),
    ...payeeOf(stepUp),
    agent: stepUp.agent_name,
    clientId: stepUp.agent_client_id,
    amount: { minor: stepUp.amount_minor, currency: stepUp.currency },
    until: stepUp.expires_at,
    note: confirmAtBank,
    consent: null,
  }))
}

interface Merchant {
  readonly merchant_audience?: string | undefined
  readonly merchant_name?: string | null | undefined
  readonly merchant_verified: boolean
}

/** Returns the name of a verified merchant, and the host of another, without the path that it chose itself. */
function payeeOf({ merchant_audience: audience, merchant_name: name, merchant_verified: verified }: Merchant) {
  if (audience === undefined) return { payee: null, isUnverified: false }
  const payee = verified ? merchantName(name, audience) : plainHost(readOrigin(audience).host)
  return { payee, isUnverified: !verified }
}

interface RequestSummary {
  readonly title: string
  readonly payee: string | null
}

/** Returns a function that summarises an approval in a few words. */
export function useDescribe(): (consent: PortalConsent) => RequestSummary {
  const { access } = useText(consentTexts).list
  const format = useFormat()
  return ({ amount_minor: amount, currency, merchant_audience: audience, merchant_name: name }) => {
    if (amount === undefined || currency === undefined || audience === undefined) return { title: access, payee: null }
    return { title: format.money(amount, currency), payee: merchantName(name, audience) }
  }
}
