import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'

/** A link within text. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={cn('font-medium text-accent underline underline-offset-4', className)} />
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
