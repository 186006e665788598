import {
  Bell,
  Bot,
  CodeXml,
  CreditCard,
  Gauge,
  House,
  KeyRound,
  type LucideIcon,
  Receipt,
  ScrollText,
  ShieldCheck,
  Store,
  UserLock,
} from 'lucide-react'
import type { NavItem } from './nav'

/** The icon of each page, apart from its address: what leads to a page by key need not load them. */
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
  privacy: UserLock,
  developers: CodeXml,
}
