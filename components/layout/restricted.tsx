'use client'

import { useText } from '@/components/i18n/locale-provider'
import { ButtonLink } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { restrictedTexts } from './restricted-messages'

/** Says that processing is restricted, and links to the page where that is lifted. */
export function Restricted() {
  const text = useText(restrictedTexts)
  return (
    <Notice
      tone="warning"
      role="status"
      className="w-full"
      title={text.title}
      action={
        <ButtonLink href="/settings/privacy#restrict" variant="secondary" size="sm">
          {text.lift}
        </ButtonLink>
      }
    >
      {text.body}
    </Notice>
  )
}
