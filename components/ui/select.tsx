'use client'

import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'
import { controlClass, useFieldTies } from './field'

/** The platform's own list: on a phone nothing else is as quick to use with 180 currencies. */
export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...useFieldTies()} {...props} className={cn(controlClass, 'appearance-none truncate pe-10', className)}>
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-muted" />
    </div>
  )
}
