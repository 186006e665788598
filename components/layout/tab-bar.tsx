import { Ellipsis } from 'lucide-react'
import type { TextOf } from '@/components/i18n/texts'
import type { layoutTexts } from './messages'
import { MoreSheet } from './more-sheet'
import { approvals, tabPages } from './nav'
import { NavLink } from './nav-link'
import { NavName } from './nav-name'
import { StepsAside } from './steps-aside'

interface TabBarProps {
  readonly name: string
  readonly email: string | null
  readonly text: TextOf<typeof layoutTexts>
}

/** The phone's navigation. */
export function TabBar({ name, email, text }: TabBarProps) {
  return (
    <StepsAside>
      <nav
        aria-label={text.nav.label}
        className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden tight:static tight:grid-cols-2"
      >
        {tabPages.map((item) => (
          <NavLink key={item.href} item={item} layout="stack" counts={item === approvals}>
            <NavName name={item.name} text={text} />
          </NavLink>
        ))}
        <MoreSheet name={name} email={email}>
          <Ellipsis aria-hidden className="size-5" />
          <span>{text.nav.more}</span>
        </MoreSheet>
      </nav>
    </StepsAside>
  )
}
