'use client'

import { useText } from '@/components/i18n/locale-provider'
import { ButtonLink } from './button'
import { uiTexts } from './messages'
import { Notice } from './notice'

/** Says that an address asked for something that makes no sense, and leads to the whole list. */
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
