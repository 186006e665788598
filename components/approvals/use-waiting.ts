'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import { useBumps, usePending, useStepUps } from '@/components/layout/live-provider'
import type { PortalConsent } from '@/components/lib/api-types'
import { merchantName } from '@/components/lib/merchant-name'
import { confirmTexts } from '@/components/payments/confirm-messages'
import { consentTexts } from './messages'

/** Something that waits for the person: a request, a payment over limits, or one whose bank wants its cardholder. */
export interface WaitingItem {
  /** Where the person answers. */
  readonly href: string
  /** The amount, or what else is wanted. */
  readonly title: string
  readonly payee: string | null
  /** The agent's name. */
  readonly agent: string
  readonly clientId: string
  readonly amount: { readonly minor: number; readonly currency: string } | null
  readonly until: string
  /** A note for the row, such as "over a limit". */
  readonly note?: string | undefined
  /** The request, where it is one. */
  readonly consent: PortalConsent | null
}

/** All that waits, in one order: what ends first stands first. */
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

/** Says in few words what a request is for. */
export function useDescribe(): (consent: PortalConsent) => RequestSummary {
  const { access } = useText(consentTexts).list
  const format = useFormat()
  return ({ amount_minor: amount, currency, merchant_audience: audience, merchant_name: name }) => {
    if (amount === undefined || currency === undefined || audience === undefined) return { title: access, payee: null }
    return { title: format.money(amount, currency), payee: merchantName(name, audience) }
  }
}
