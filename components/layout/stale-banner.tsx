'use client'

import { lazy, Suspense } from 'react'
import { isAboutToIdleOut } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useNow } from '@/components/lib/use-now'
import { Notice } from '@/components/ui/notice'
import { liveTexts } from './live-messages'
import { useStale } from './live-provider'

// Fetched when it is needed, which is seldom.
const IdleNotice = lazy(() => import('./idle-notice').then(({ IdleNotice: view }) => ({ default: view })))

/** What may be wrong with the page that is shown: its session is about to end, or it could not be kept up to date. */
export function StaleBanner() {
  const liveText = useText(liveTexts)
  const now = useNow()
  const stale = useStale()
  const idle = now !== null && isAboutToIdleOut()
  return (
    <div role="status" className="empty:hidden">
      <Suspense fallback={null}>
        {idle ? <IdleNotice /> : null}
        {stale ? <Notice tone="warning">{liveText.stale}</Notice> : null}
      </Suspense>
    </div>
  )
}
