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
import type { layoutText } from './messages'

export interface NavItem {
  readonly href: string
  /** Its name in the texts. */
  readonly name: keyof typeof layoutText.nav
  readonly icon: LucideIcon
  /** Other paths that belong to it. */
  readonly also?: string
}

export const home: NavItem = { href: '/', name: 'home', icon: House }
export const approvals: NavItem = { href: '/approvals', name: 'approvals', icon: ShieldCheck, also: '/approve' }
export const agents: NavItem = { href: '/agents', name: 'agents', icon: Bot }
export const limits: NavItem = { href: '/limits', name: 'limits', icon: Gauge }
const merchants: NavItem = { href: '/merchants', name: 'merchants', icon: Store }
export const payments: NavItem = { href: '/payments', name: 'payments', icon: Receipt }
const cards: NavItem = { href: '/cards', name: 'cards', icon: CreditCard }
const activity: NavItem = { href: '/activity', name: 'activity', icon: ScrollText }
const notifications: NavItem = { href: '/settings/notifications', name: 'notifications', icon: Bell }
const security: NavItem = { href: '/settings/security', name: 'security', icon: KeyRound }
const privacy: NavItem = { href: '/settings/privacy', name: 'privacy', icon: UserLock }
const developers: NavItem = { href: '/developers', name: 'developers', icon: CodeXml }

/** What a wide screen shows beside every page; the account's menu holds the settings. */
export const sidebarPages = [home, approvals, agents, limits, merchants, payments, cards, activity]
export const settings = [notifications, security, privacy, developers]
/** What a phone shows below every page, and what it keeps behind "More". */
export const tabPages = [home, approvals, agents, payments]
export const morePages = [limits, merchants, cards, activity, ...settings]
export const pages = [...sidebarPages, ...settings]

export function isCurrent(item: NavItem, pathname: string): boolean {
  if (item.href === '/') return pathname === '/'
  return [item.href, item.also].some(
    (path) => path !== undefined && (pathname === path || pathname.startsWith(`${path}/`)),
  )
}
