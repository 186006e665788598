'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useText } from '@/components/i18n/locale-provider'
import { Button, ButtonLink } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { sessionTexts } from './session-messages'

/** The session is over, or will be in a minute unless somebody says that they are there (WCAG 2.2.1). */
export function SessionNotice({ over }: { readonly over: boolean }) {
  const text = useText(sessionTexts)
  const queries = useQueryClient()
  if (over) {
    return (
      <Notice
        tone="warning"
        title={text.over.title}
        action={
          <ButtonLink href="/sign-in" target="_blank" variant="secondary" size="sm">
            {text.over.signIn}
          </ButtonLink>
        }
      >
        {text.over.body}
      </Notice>
    )
  }
  return (
    <Notice
      tone="warning"
      title={text.idle.title}
      action={
        <Button variant="secondary" size="sm" onClick={() => void queries.invalidateQueries()}>
          {text.idle.stay}
        </Button>
      }
    >
      {text.idle.body}
    </Notice>
  )
}
