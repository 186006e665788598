'use client'

import { Field as Base } from '@base-ui/react/field'
import { CircleAlert } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** A control with its label, its hint and what is wrong with it, all tied together for assistive technology. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  return (
    <Base.Root invalid={error !== undefined} className={cn('grid content-start gap-1.5', className)}>
      <Base.Label className="font-medium">{label}</Base.Label>
      {children}
      {hint === undefined ? null : <Base.Description className="text-sm text-muted">{hint}</Base.Description>}
      {error === undefined ? null : (
        <Base.Error match className="flex items-start gap-1.5 text-sm font-medium text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </Base.Error>
      )}
    </Base.Root>
  )
}

export const controlClass =
  'min-h-11 w-full min-w-0 rounded-control border border-control bg-surface px-3 py-2 text-base text-ink placeholder:text-muted data-invalid:border-danger disabled:opacity-60'

export function Input({ className, ...props }: ComponentProps<typeof Base.Control>) {
  return <Base.Control {...props} className={cn(controlClass, className)} />
}
