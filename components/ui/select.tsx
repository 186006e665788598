'use client'

import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'
import { controlClass, useFieldTies } from './field'
import { useTypedEarly } from './use-typed-early'

/** The platform's own select: on a phone, nothing else is as quick to use with 180 currencies. */
export function Select({ className, children, ref, onChange, ...props }: ComponentProps<'select'>) {
  const control = useTypedEarly(props.value, ref)
  return (
    <div className="relative">
      <select
        {...useFieldTies()}
        {...props}
        // A choice that hydrates the page is reported twice, the second time when React has restored the old value.
        onChange={(event) => event.target.value !== props.value && onChange?.(event)}
        ref={control}
        className={cn(controlClass, 'appearance-none truncate pe-10', className)}
      >
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-muted" />
    </div>
  )
}
