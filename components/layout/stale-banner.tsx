'use client'

import { lazy, Suspense } from 'react'
import { unusedFor } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useNow } from '@/components/lib/use-now'
import { Notice } from '@/components/ui/notice'
import { SESSION_IDLE_SECONDS } from '@/server/identity/sessions/input'
import { liveTexts } from './live-messages'
import { useStale } from './live-provider'

// Fetched when it is needed, which is seldom.
const IdleNotice = lazy(() => import('./idle-notice').then(({ IdleNotice: view }) => ({ default: view })))

/** A minute before a session that nobody uses ends. */
const WARNING_MILLISECONDS = (SESSION_IDLE_SECONDS - 60) * 1000

/** What may be wrong with the page that is shown: its session is about to end, or it could not be kept up to date. */
export function StaleBanner() {
  const liveText = useText(liveTexts)
  const now = useNow()
  const stale = useStale()
  const idle = now !== null && unusedFor() > WARNING_MILLISECONDS
  return (
    <div role="status" className="empty:hidden">
      <Suspense fallback={null}>
        {idle ? <IdleNotice /> : null}
        {stale ? <Notice tone="warning">{liveText.stale}</Notice> : null}
      </Suspense>
    </div>
  )
}
