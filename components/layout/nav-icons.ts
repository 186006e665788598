import {
  Accessibility,
  Bell,
  Bot,
  CodeXml,
  CreditCard,
  Gauge,
  House,
  IdCard,
  KeyRound,
  type LucideIcon,
  Receipt,
  ScrollText,
  ShieldCheck,
  Store,
  UserCheck,
  UserLock,
} from 'lucide-react'
import type { NavItem } from './nav'

/** The icon of each page; separate from the addresses, so that keyboard shortcuts need not load icons. */
export const navIcons: Readonly<Record<NavItem['name'], LucideIcon>> = {
  home: House,
  approvals: ShieldCheck,
  agents: Bot,
  limits: Gauge,
  merchants: Store,
  payments: Receipt,
  cards: CreditCard,
  activity: ScrollText,
  notifications: Bell,
  security: KeyRound,
  credentials: IdCard,
  privacy: UserLock,
  age: UserCheck,
  developers: CodeXml,
  accessibility: Accessibility,
}
