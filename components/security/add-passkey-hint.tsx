'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { SessionView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { stepUpTexts } from './step-up-messages'

interface AddPasskeyHintProps {
  /** The passkeys of the session's view. */
  readonly passkeys: SessionView['passkeys']
}

/** Suggests a passkey to people who confirm by mail although they could have one. */
export function AddPasskeyHint({ passkeys }: AddPasskeyHintProps) {
  const text = useText(stepUpTexts).hint
  if (!passkeys.available || passkeys.count > 0) return null
  return (
    <Notice
      tone="info"
      title={text.title}
      action={
        <ButtonLink href="/settings/security" variant="secondary" size="sm">
          {text.action}
        </ButtonLink>
      }
    >
      {text.body}
    </Notice>
  )
}
