'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Notice } from '@/components/ui/notice'
import { type layoutText, layoutTexts } from './messages'

interface SwitchedOffProps {
  readonly name: keyof typeof layoutText.switchedOff
}

/** What the operator has switched off, in plain words. */
export function SwitchedOff({ name }: SwitchedOffProps) {
  const layoutText = useText(layoutTexts)
  const { title, body } = layoutText.switchedOff[name]
  return (
    <Notice tone="warning" title={title}>
      {body}
    </Notice>
  )
}
