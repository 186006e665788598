'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { sessionTexts } from './session-messages'

/** Warns that the session ends in a minute unless the person continues (WCAG 2.2.1). */
export function IdleNotice() {
  const { idle: text } = useText(sessionTexts)
  const queries = useQueryClient()
  return (
    <Notice
      tone="warning"
      title={text.title}
      action={
        <Button variant="secondary" size="sm" onClick={() => void queries.invalidateQueries()}>
          {text.stay}
        </Button>
      }
    >
      {text.body}
    </Notice>
  )
}
