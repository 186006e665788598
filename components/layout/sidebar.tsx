import Link from 'next/link'
import type { TextOf } from '@/components/i18n/texts'
import { cn } from '@/components/lib/cn'
import { Brand } from './brand'
import type { layoutTexts } from './messages'
import { approvals, sidebarPages } from './nav'
import { NavLink } from './nav-link'
import { NavName } from './nav-name'
import { UserMenu } from './user-menu'

interface SidebarProps {
  readonly name: string
  readonly email: string | null
  readonly sandbox: boolean
  readonly text: TextOf<typeof layoutTexts>
}

export function Sidebar({ name, email, sandbox, text }: SidebarProps) {
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
      <nav aria-label={text.nav.label} className="-mx-1 grid min-h-0 content-start gap-1 overflow-y-auto p-1">
        {sidebarPages.map((item) => (
          <NavLink key={item.href} item={item} layout="row" counts={item === approvals}>
            <NavName name={item.name} text={text} />
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto">
        <UserMenu name={name} email={email} />
      </div>
    </aside>
  )
}
