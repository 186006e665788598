'use client'

import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { cn } from '@/components/lib/cn'

interface Segment<T extends string> {
  readonly value: T
  readonly label: string
  readonly icon?: LucideIcon
  /** The language of the label, when it is not the page's. */
  readonly lang?: string
}

interface SegmentsProps<T extends string> {
  readonly label: string
  readonly items: readonly Segment<T>[]
  /** The chosen option; null while there is none. */
  readonly value: T | null
  readonly onChange: (value: T) => void
  readonly className?: string
}

/** Shows a few options side by side, one of which is chosen. */
export function Segments<T extends string>({ label, items, value, onChange, className }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className={cn('grid gap-1.5', className)}>
      <legend className="mb-1.5 text-sm text-muted">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-control bg-sunken p-1">
        {items.map(({ value: option, label: words, icon: Icon, lang }) => (
          <label
            key={option}
            className="flex min-h-11 cursor-pointer flex-wrap items-center justify-center gap-x-1.5 rounded-control px-1 text-center text-sm font-medium text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={value === option}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {Icon === undefined ? null : <Icon aria-hidden className="size-4 shrink-0" />}
            <span lang={lang} className="min-w-0">
              {words}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
