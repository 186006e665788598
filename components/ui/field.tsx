'use client'

import { CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import { cn } from '@/components/lib/cn'
import { useTypedEarly } from './use-typed-early'

type Ties = Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

const TiesContext = createContext<Ties>({})

/** Returns the attributes that connect a control to the label, hint and error of its field. */
export const useFieldTies = (): Ties => use(TiesContext)

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

/** Shows a control with its label, hint and error, all connected for assistive technology. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  const errorId = error === undefined ? undefined : `${id}-error`
  const ties: Ties = {
    id,
    'aria-describedby': cn(hintId, errorId) || undefined,
    'aria-invalid': error === undefined ? undefined : true,
  }
  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="w-fit font-medium">
        {label}
      </label>
      <TiesContext value={ties}>{children}</TiesContext>
      {hint === undefined ? null : (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={errorId} className="flex items-start gap-1.5 text-sm font-medium text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}

export const controlClass =
  'min-h-11 w-full min-w-0 rounded-control border border-control bg-surface px-3 py-2 text-base text-ink placeholder:text-muted aria-invalid:border-danger disabled:opacity-60'

export function Input({ className, ref, ...props }: ComponentProps<'input'>) {
  const control = useTypedEarly(props.value, ref)
  return <input {...useFieldTies()} {...props} ref={control} className={cn(controlClass, className)} />
}
