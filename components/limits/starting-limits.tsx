'use client'

import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { HomeView } from '@/components/lib/api-types'
import { limitsTexts } from './messages'

/** Says which limits a new person has until they change them. */
export function StartingLimits({ limits }: { readonly limits: HomeView['starting_limits'] }) {
  const text = useText(limitsTexts)
  const format = useFormat()
  if (limits === null) return null
  const { daily_cap_minor: day, single_txn_cap_minor: each, currency } = limits
  return <p className="text-muted">{text.start(format.money(day, currency), format.money(each, currency))}</p>
}
