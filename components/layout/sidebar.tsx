'use client'

import Link from 'next/link'
import { cn } from '@/components/lib/cn'
import { Brand } from './brand'
import { useWaitingCount } from './live-provider'
import { layoutText } from './messages'
import { agents, approvals, cards, home, limits, merchants, payments } from './nav'
import { NavLink } from './nav-link'
import { UserMenu } from './user-menu'

const items = [home, approvals, agents, limits, merchants, payments, cards]

interface SidebarProps {
  readonly name: string
  readonly email: string | null
  readonly sandbox: boolean
}

export function Sidebar({ name, email, sandbox }: SidebarProps) {
  const waiting = useWaitingCount()
  return (
    <aside
      className={cn(
        'sticky hidden flex-col gap-6 border-e border-line bg-surface px-4 py-5 lg:flex',
        sandbox ? 'top-9 h-[calc(100dvh-2.25rem)]' : 'top-0 h-dvh',
      )}
    >
      <Link href="/" className="flex min-h-11 items-center rounded-control px-2">
        <Brand />
      </Link>
      <nav aria-label={layoutText.nav.label} className="grid gap-1">
        {items.map((item) => (
          <NavLink key={item.href} item={item} layout="row" count={item === approvals ? waiting : 0} />
        ))}
      </nav>
      <div className="mt-auto">
        <UserMenu name={name} email={email} />
      </div>
    </aside>
  )
}
