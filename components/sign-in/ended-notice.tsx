'use client'

import { useEffect } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { expireKeptPage } from '@/components/layout/kept-page'
import { Notice } from '@/components/ui/notice'
import { SESSION_IDLE_SECONDS, type SessionEnd } from '@/server/identity/sessions/input'
import { signInTexts } from './messages'

/** Why the session ended that led here; meanwhile the tab keeps what was typed, for an hour at most. */
export function EndedNotice({ end }: { readonly end: SessionEnd }) {
  const { ended } = useText(signInTexts)
  useEffect(expireKeptPage, [])
  return (
    <Notice tone="info" role="status" title={end === 'idle' ? ended.idle(SESSION_IDLE_SECONDS / 60) : ended[end]}>
      {ended.goOn}
    </Notice>
  )
}
