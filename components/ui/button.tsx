'use client'

import type { VariantProps } from 'class-variance-authority'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'
import { buttonVariants } from './button-variants'
import { Spinner } from './spinner'

type Variants = VariantProps<typeof buttonVariants>
type ButtonProps = ComponentProps<'button'> & Variants & { readonly busy?: boolean }

/**
 * A button. `busy` keeps it in place and focused, announces that to assistive technology, and ignores a second press.
 */
export function Button({
  className,
  variant,
  size,
  full,
  busy = false,
  onClick,
  children,
  type,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type ?? 'button'}
      aria-disabled={busy || props['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      className={cn(buttonVariants({ variant, size, full }), className)}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<typeof Link> & Variants

export function ButtonLink({ className, variant, size, full, ...props }: ButtonLinkProps) {
  return <Link {...props} className={cn(buttonVariants({ variant, size, full }), className)} />
}
