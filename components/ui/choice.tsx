import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly kind: 'radio' | 'checkbox'
  readonly label: string
  readonly hint?: ReactNode
}

/** Shows one option with its explanation. The whole card can be pressed. */
export function Choice({ kind, label, hint, className, id, ...props }: ChoiceProps) {
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div
      className={cn(
        'relative flex gap-3 rounded-control border border-line bg-surface p-3 transition-colors sm:p-4 hover:border-control has-checked:border-accent has-checked:bg-accent-soft has-disabled:border-dashed has-disabled:bg-sunken has-disabled:hover:border-line',
        className,
      )}
    >
      <input
        {...props}
        id={id}
        type={kind}
        aria-describedby={hintId}
        className="mt-0.5 size-5 shrink-0 accent-accent after:absolute after:inset-0"
      />
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint === undefined ? null : (
          <p id={hintId} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
