'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ComponentProps } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { layoutTexts } from './messages'
import { isCurrent, type NavItem } from './nav'

interface NavLinkProps extends Omit<ComponentProps<typeof Link>, 'href' | 'children'> {
  readonly item: NavItem
  readonly layout: 'row' | 'stack'
  readonly count?: number
}

const layouts = {
  row: 'flex min-h-11 items-center gap-3 rounded-control px-3 font-medium aria-[current=page]:bg-accent-soft',
  stack: 'grid min-h-14 justify-items-center content-center gap-0.5 text-xs font-medium',
} as const

export function NavLink({ item, layout, count = 0, className, ...props }: NavLinkProps) {
  const pathname = usePathname()
  const { nav } = useText(layoutTexts)
  const { icon: Icon, name, href } = item
  return (
    <Link
      {...props}
      href={href}
      aria-current={isCurrent(item, pathname) ? 'page' : undefined}
      className={cn(
        'relative text-muted transition-colors hover:text-ink aria-[current=page]:text-accent',
        layouts[layout],
        className,
      )}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <span>{nav[name]}</span>
      {count > 0 ? <Count value={count} layout={layout} /> : null}
    </Link>
  )
}

function Count({ value, layout }: { readonly value: number; readonly layout: 'row' | 'stack' }) {
  const layoutText = useText(layoutTexts)
  return (
    <span
      className={cn(
        'grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums',
        layout === 'row' ? 'ms-auto' : 'absolute start-1/2 top-1 ms-1',
      )}
    >
      <span aria-hidden>{value > 99 ? '99+' : value}</span>
      <span className="sr-only">{layoutText.waiting(value)}</span>
    </span>
  )
}
