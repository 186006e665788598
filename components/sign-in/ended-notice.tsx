'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { SESSION_IDLE_SECONDS, type SessionEnd } from '@/server/identity/sessions/input'
import { signInTexts } from './messages'

/** Says why the previous session ended. */
export function EndedNotice({ end }: { readonly end: SessionEnd }) {
  const { ended } = useText(signInTexts)
  return (
    <Notice tone="info" role="status" title={end === 'idle' ? ended.idle(SESSION_IDLE_SECONDS / 60) : ended[end]}>
      {ended.goOn}
    </Notice>
  )
}
