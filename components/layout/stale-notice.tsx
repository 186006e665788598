'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { staleTexts } from './stale-messages'

/** Says that the page is out of date, and reloads it. */
export function StaleNotice() {
  const text = useText(staleTexts)
  return (
    <Notice
      tone="warning"
      title={text.stale}
      action={
        <Button variant="secondary" size="sm" onClick={() => window.location.reload()}>
          {text.reload}
        </Button>
      }
    />
  )
}
