import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/components/lib/cn'

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div {...props} className={cn('rounded-card border border-line bg-surface p-4 shadow-card sm:p-6', className)} />
  )
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly description?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A titled region of a page. */
export function Section({ id, title, description, action, children, className }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cn('grid gap-3', className)}>
      <div className="flex min-h-8 flex-wrap items-center sm:min-h-11 justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-lg font-semibold tracking-tight">
          {title}
        </h2>
        {action}
      </div>
      {description === undefined ? null : <p className="-mt-2 max-w-prose text-muted">{description}</p>}
      {children}
    </section>
  )
}

/** A card that holds rows divided by hairlines. */
export function RowList({ className, ...props }: ComponentProps<'ul'>) {
  return (
    <ul
      {...props}
      className={cn(
        'divide-y divide-line overflow-clip rounded-card border border-line bg-surface shadow-card',
        className,
      )}
    />
  )
}
