'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ComponentProps, ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { liveTexts } from './live-messages'
import { useWaitingCount } from './live-provider'
import { isCurrent, type NavItem } from './nav'

interface NavLinkProps extends Omit<ComponentProps<typeof Link>, 'href'> {
  readonly item: NavItem
  readonly layout: 'row' | 'stack'
  /** Whether the link shows how many items wait there. */
  readonly counts?: boolean
  /** Icon and name. */
  readonly children: ReactNode
}

const layouts = {
  row: 'flex min-h-11 items-center gap-3 rounded-control px-3 font-medium aria-[current=page]:bg-accent-soft',
  stack:
    'grid min-h-14 justify-items-center content-center gap-0.5 text-center text-xs font-medium hyphens-auto max-[22rem]:tracking-tight',
} as const

export function NavLink({ item, layout, counts = false, className, children, ...props }: NavLinkProps) {
  const pathname = usePathname()
  const waiting = useWaitingCount()
  return (
    <Link
      {...props}
      href={item.href}
      aria-current={isCurrent(item, pathname) ? 'page' : undefined}
      className={cn(
        'relative text-muted transition-colors hover:text-ink aria-[current=page]:text-accent',
        layouts[layout],
        className,
      )}
    >
      {children}
      {counts && waiting > 0 ? <Count value={waiting} layout={layout} /> : null}
    </Link>
  )
}

function Count({ value, layout }: { readonly value: number; readonly layout: 'row' | 'stack' }) {
  const text = useText(liveTexts)
  return (
    <span
      className={cn(
        'grid h-5 w-max min-w-5 place-items-center whitespace-nowrap rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums',
        layout === 'row' ? 'ms-auto' : 'absolute start-1/2 top-1 ms-1',
      )}
    >
      <span aria-hidden>{value > 99 ? '99+' : value}</span>
      <span className="sr-only">{text.waiting(value)}</span>
    </span>
  )
}
