import type { TextOf } from '@/components/i18n/texts'
import type { layoutTexts } from './messages'
import type { NavItem } from './nav'
import { navIcons } from './nav-icons'

interface NavNameProps {
  readonly name: NavItem['name']
  readonly text: TextOf<typeof layoutTexts>
}

/** Shows the icon and the name of a page in a link. */
export function NavName({ name, text }: NavNameProps) {
  const Icon = navIcons[name]
  return (
    <>
      <Icon aria-hidden className="size-5 shrink-0" />
      <span>{text.nav[name]}</span>
    </>
  )
}
