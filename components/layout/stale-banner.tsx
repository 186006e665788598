'use client'

import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { unusedFor } from '@/components/api/client'
import { useClock } from '@/components/i18n/clock'
import { useText } from '@/components/i18n/locale-provider'
import { useOffline } from '@/components/lib/offline'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { SESSION_IDLE_SECONDS } from '@/server/identity/sessions/input'
import { liveTexts } from './live-messages'
import { useStale } from './live-provider'
import { StaleNotice } from './stale-notice'

// Fetched only when it is needed.
const IdleNotice = lazy(() => import('./idle-notice').then(({ IdleNotice: view }) => ({ default: view })))

/** The unused time after which a warning is shown: a minute before the session ends. */
const WARNING_MILLISECONDS = (SESSION_IDLE_SECONDS - 60) * 1000

/** Warns that the session is about to end, or that the page is out of date. */
export function StaleBanner() {
  const idle = useClock((now) => unusedFor(now) > WARNING_MILLISECONDS)
  const stale = useStale()
  const offline = useOffline()
  return (
    <div role="status" className="grid gap-2">
      <Suspense fallback={null}>
        {idle ? <IdleNotice /> : null}
        {offline ? <OfflineNotice /> : null}
        {stale && !offline ? <StaleNotice /> : null}
      </Suspense>
    </div>
  )
}

/** Says that the browser has no network; hidden while the pressed control shows the same error. */
function OfflineNotice() {
  const text = useText(liveTexts)
  const queries = useQueryClient()
  return (
    <Notice
      tone="warning"
      title={text.offline}
      className="group-has-[[role=alert]]/notices:hidden"
      action={
        <Button variant="secondary" size="sm" onClick={() => void queries.invalidateQueries()}>
          {text.retry}
        </Button>
      }
    />
  )
}
