'use client'

import { useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { liveTexts } from './live-messages'
import { useWaitingCount } from './live-provider'
import { TabTitle } from './tab-title'

/** Announces to assistive technology, and in the tab's title, how many items wait. */
export function PendingAnnouncer() {
  const liveText = useText(liveTexts)
  const count = useWaitingCount()
  const [seen, setSeen] = useState({ count, news: '' })
  // Items that waited when the page opened are not announced.
  if (seen.count !== count) {
    setSeen({ count, news: count === 0 ? liveText.nothingWaiting : liveText.newlyWaiting(count) })
  }
  return (
    <>
      <TabTitle count={count} />
      <p aria-live="polite" className="sr-only">
        {seen.news}
      </p>
    </>
  )
}
