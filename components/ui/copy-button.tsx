'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Button } from './button'
import { uiTexts } from './messages'

interface CopyButtonProps {
  readonly value: string
  /** The name of the copied value, which the button's label includes. */
  readonly what: string
  readonly className?: string
}

const SHOWN_FOR_MS = 2000

export function CopyButton({ value, what, className }: CopyButtonProps) {
  const text = useText(uiTexts).copy
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    copyText(value).then(
      () => setState('copied'),
      () => setState('refused'),
    )
  }
  const Icon = state === 'copied' ? Check : Copy
  return (
    <>
      <Button variant="secondary" size="sm" aria-label={text.name(what)} onClick={copy} className={className}>
        <Icon aria-hidden />
        {state === 'copied' ? text.done : text.button}
      </Button>
      <span role="status" className="sr-only">
        {state === 'copied' ? text.news(what) : ''}
        {state === 'refused' ? text.refused(what) : ''}
      </span>
    </>
  )
}

async function copyText(value: string): Promise<void> {
  // Undefined where the page came over plain HTTP from another machine.
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard === undefined) throw new Error('no clipboard')
  await clipboard.writeText(value)
}
