'use client'

import { useText } from '@/components/i18n/locale-provider'
import { ButtonLink } from './button'
import { uiTexts } from './messages'
import { Notice } from './notice'

/** Says that the address holds something that cannot be read, and links to the whole list. */
export function UnreadLink({ href }: { readonly href: string }) {
  const text = useText(uiTexts).unreadLink
  return (
    <Notice
      tone="warning"
      title={text.title}
      action={
        <ButtonLink href={href} variant="secondary">
          {text.action}
        </ButtonLink>
      }
    >
      {text.body}
    </Notice>
  )
}
