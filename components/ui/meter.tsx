'use client'

import { Meter as Base } from '@base-ui/react/meter'
import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** What the bar says, in words; it is also what a screen reader says. */
  readonly text: string
  readonly detail?: ReactNode
}

const NEARLY_FULL = 0.8

function fillOf(share: number): string {
  if (share >= 1) return 'bg-danger'
  return share >= NEARLY_FULL ? 'bg-warning' : 'bg-accent'
}

/** How much of a limit is used. */
export function Meter({ label, value, max, text, detail }: MeterProps) {
  const share = max <= 0 ? 1 : value / max
  return (
    <Base.Root value={Math.min(share, 1) * 100} aria-valuetext={text} className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <Base.Label className="font-medium">{label}</Base.Label>
        <span aria-hidden className="tabular-nums">
          {text}
        </span>
      </div>
      <Base.Track className="h-2.5 overflow-clip rounded-full border border-control bg-sunken">
        <Base.Indicator className={cn('rounded-full transition-[width] duration-300', fillOf(share))} />
      </Base.Track>
      {detail === undefined ? null : <p className="text-sm text-muted">{detail}</p>}
    </Base.Root>
  )
}
