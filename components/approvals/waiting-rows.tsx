'use client'

import { useText } from '@/components/i18n/locale-provider'
import { RowList } from '@/components/ui/card'
import { consentTexts } from './messages'
import type { WaitingItem } from './use-waiting'
import { WaitingRow } from './waiting-row'

/** Lists waiting items, each with a link to the page where it is answered. */
export function WaitingRows({ items }: { readonly items: readonly WaitingItem[] }) {
  const { list } = useText(consentTexts)
  if (items.length === 0) return null
  return (
    <RowList aria-label={list.waiting}>
      {items.map((item) => (
        <WaitingRow key={item.href} {...item} />
      ))}
    </RowList>
  )
}
