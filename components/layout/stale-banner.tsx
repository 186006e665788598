'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { useStale } from './live-provider'
import { layoutTexts } from './messages'

export function StaleBanner() {
  const layoutText = useText(layoutTexts)
  const stale = useStale()
  return (
    <div role="status" className="empty:hidden">
      {stale ? <Notice tone="warning">{layoutText.stale}</Notice> : null}
    </div>
  )
}
