'use client'

import { Notice } from '@/components/ui/notice'
import { useStale } from './live-provider'
import { layoutText } from './messages'

export function StaleBanner() {
  const stale = useStale()
  return (
    <div role="status" className="empty:hidden">
      {stale ? <Notice tone="warning">{layoutText.stale}</Notice> : null}
    </div>
  )
}
