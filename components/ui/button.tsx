'use client'

import { cva, type VariantProps } from 'class-variance-authority'
import Link from 'next/link'
import type { ComponentProps } from 'react'
import { cn } from '@/components/lib/cn'
import { Spinner } from './spinner'

const buttonVariants = cva(
  'relative inline-flex select-none items-center justify-center gap-2 rounded-control border border-transparent px-4 py-2 text-center font-medium wrap-break-word no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-[1.125em] [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent hover:bg-accent-strong',
        secondary: 'border-control bg-surface text-ink hover:bg-sunken',
        danger: 'bg-danger text-on-danger hover:bg-danger-strong',
        quiet: 'text-accent hover:bg-accent-soft',
        quietDanger: 'text-danger hover:bg-danger-soft',
      },
      size: {
        md: 'min-h-11 text-base',
        sm: 'min-h-11 px-3 text-sm',
        lg: 'min-h-14 px-5 text-lg',
        icon: 'size-11 p-0',
      },
      full: { true: 'w-full', false: '' },
    },
    defaultVariants: { variant: 'primary', size: 'md', full: false },
  },
)

type Variants = VariantProps<typeof buttonVariants>
type ButtonProps = ComponentProps<'button'> & Variants & { readonly busy?: boolean }

/** `busy` keeps the button in place and in focus, says so to assistive technology, and refuses a second press. */
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
      aria-disabled={busy || undefined}
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
