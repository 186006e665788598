'use client'

import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { cn } from '@/components/lib/cn'

const tones = { success: 'text-success', danger: 'text-danger', muted: 'text-muted' } as const

interface OutcomePanelProps {
  readonly icon: LucideIcon
  readonly tone: keyof typeof tones
  readonly title: ReactNode
  /** Whether to take the focus from the button, which is gone. */
  readonly focus?: boolean
  readonly children: ReactNode
}

/** Shows the outcome of a decision. All later outcomes use the same panel, so that the focus stays in it. */
export function OutcomePanel({ icon: Icon, tone, title, focus = false, children }: OutcomePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) heading.current?.focus()
  }, [focus])
  return (
    <section role="status" className="grid gap-3 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h2
        ref={heading}
        tabIndex={-1}
        className="flex items-center gap-2.5 text-2xl font-semibold tracking-tight outline-none"
      >
        <Icon aria-hidden className={cn('size-7 shrink-0', tones[tone])} />
        <span>{title}</span>
      </h2>
      {children}
    </section>
  )
}

/** The content of an outcome. */
export type OutcomeNews = Omit<OutcomePanelProps, 'focus'>
