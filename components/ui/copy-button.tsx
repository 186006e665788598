'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button'

interface CopyButtonProps {
  readonly value: string
  /** What is copied; part of the button's name. */
  readonly what: string
  readonly className?: string
}

const SHOWN_FOR_MS = 2000

export function CopyButton({ value, what, className }: CopyButtonProps) {
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
      <Button variant="secondary" size="sm" aria-label={`Copy ${what}`} onClick={copy} className={className}>
        <Icon aria-hidden />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      <span role="status" className="sr-only">
        {state === 'copied' ? `Copied ${what}` : ''}
        {state === 'refused' ? `The browser did not let us copy the ${what}. Select the text instead.` : ''}
      </span>
    </>
  )
}

async function copyText(value: string): Promise<void> {
  // Absent where the page came over plain HTTP from another machine.
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard === undefined) throw new Error('no clipboard')
  await clipboard.writeText(value)
}
