'use client'

import { Ellipsis } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useText } from '@/components/i18n/locale-provider'
import { cn } from '@/components/lib/cn'
import { useWaitingCount } from './live-provider'
import { layoutTexts } from './messages'
import { MoreSheet } from './more-sheet'
import { approvals, isCurrent, morePages, tabPages } from './nav'
import { NavLink } from './nav-link'

interface TabBarProps {
  readonly name: string
  readonly email: string | null
}

/** The phone's navigation. It steps aside where something is being approved, so that nothing competes with the decision. */
export function TabBar({ name, email }: TabBarProps) {
  const layoutText = useText(layoutTexts)
  const waiting = useWaitingCount()
  const pathname = usePathname()
  if (pathname.startsWith('/approve/') || pathname.startsWith('/payments/confirm/')) return null
  const inMore = morePages.some((item) => isCurrent(item, pathname))
  return (
    <nav
      aria-label={layoutText.nav.label}
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {tabPages.map((item) => (
        <NavLink key={item.href} item={item} layout="stack" count={item === approvals ? waiting : 0} />
      ))}
      <MoreSheet
        name={name}
        email={email}
        className={cn(
          'grid min-h-14 content-center justify-items-center gap-0.5 text-xs font-medium hover:text-ink',
          inMore ? 'text-accent' : 'text-muted',
        )}
      >
        <Ellipsis aria-hidden className="size-5" />
        <span>{layoutText.nav.more}</span>
      </MoreSheet>
    </nav>
  )
}
