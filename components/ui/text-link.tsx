import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'

/** A link within text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={cn('font-medium text-accent underline underline-offset-4', className)} />
}

/** A link on a line of its own: high enough for a finger, on a line that is not. */
export function LineLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <TextLink {...props} className={cn('-my-2 inline-flex min-h-11 min-w-11 items-center', className)} />
}

/** A link beside a heading. */
export function SectionLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...props}
      className={cn(
        'inline-flex min-h-11 items-center font-medium text-accent underline-offset-4 hover:underline',
        className,
      )}
    />
  )
}
