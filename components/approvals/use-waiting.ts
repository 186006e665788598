'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { useBumps, usePending, useStepUps } from '@/components/layout/live-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { confirmTexts } from '@/components/payments/confirm-messages'
import { consentTexts } from './messages'

/** Something that waits for the person: an approval, a limit request or a payment whose bank wants a challenge. */
export interface WaitingItem {
  /** The address of the page where the person answers. */
  readonly href: string
  /** The amount, or what is requested instead. */
  readonly title: string
  readonly payee: string | null
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
      ...describe(consent),
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
    payee: merchantName(bump.merchant_name, bump.merchant_audience),
    agent: bump.agent_label,
    clientId: bump.agent_client_id,
    amount: { minor: bump.amount_minor, currency: bump.currency },
    until: bump.expires_at,
    note: refusedOverLimits(bump.exceeds.length),
    consent: null,
  }))
}

function useBankSteps(): readonly WaitingItem[] {
  const { lead } = useText(confirmTexts)
  const format = useFormat()
  return useStepUps().map((stepUp) => ({
    href: `/payments/confirm/${encodeURIComponent(stepUp.settlement_id)}`,
    title: format.money(stepUp.amount_minor, stepUp.currency),
    payee: merchantName(stepUp.merchant_name, stepUp.merchant_audience),
    agent: stepUp.agent_name,
    clientId: stepUp.agent_client_id,
    amount: { minor: stepUp.amount_minor, currency: stepUp.currency },
    until: stepUp.expires_at,
    note: lead,
    consent: null,
  }))
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
