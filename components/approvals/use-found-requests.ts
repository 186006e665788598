'use client'

import { useFormat } from '@/components/i18n/use-format'
import type { PortalConsent } from '@/components/lib/api-types'

/** The requests whose shop, agent, items or amount hold all words that were typed; all of them where none were. */
export function useFoundRequests(consents: readonly PortalConsent[], typed: string): readonly PortalConsent[] {
  const format = useFormat()
  const words = fold(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return consents
  return consents.filter((consent) => {
    const { amount_minor: minor, currency, merchant_name: name, merchant_audience: audience, agent } = consent
    const amount = minor === undefined || currency === undefined ? '' : format.money(minor, currency)
    const items = consent.line_items?.map(({ title, sku }) => title ?? sku) ?? []
    const text = fold([amount, name, audience, agent.label, ...items].join(' '))
    return words.every((word) => text.includes(word))
  })
}

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
