'use client'

import { type ReactNode, useId } from 'react'
import { cn } from '@/components/lib/cn'

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** The value in words, which a screen reader reads as well. */
  readonly text: string
  readonly detail?: ReactNode
}

const NEARLY_FULL = 0.8

function fillOf(share: number): string {
  if (share >= 1) return 'bg-danger'
  return share >= NEARLY_FULL ? 'bg-warning' : 'bg-accent'
}

/** Shows how much of a limit is used. */
export function Meter({ label, value, max, text, detail }: MeterProps) {
  const labelId = useId()
  const share = max <= 0 ? 1 : value / max
  const percent = Math.min(share, 1) * 100
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2 gap-y-0.5 sm:gap-x-4">
        <span id={labelId} className="font-medium">
          {label}
        </span>
        <span aria-hidden className="tabular-nums">
          {text}
        </span>
      </div>
      <div
        role="meter"
        aria-labelledby={labelId}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        className="h-2.5 overflow-clip rounded-full border border-control bg-sunken"
      >
        <div
          className={cn('h-full rounded-full transition-[width] duration-300', fillOf(share))}
          style={{ width: `${percent}%` }}
        />
      </div>
      {detail === undefined ? null : <p className="text-sm text-muted">{detail}</p>}
    </div>
  )
}
