import { Bell, Bot, CreditCard, Gauge, House, type LucideIcon, Receipt, ShieldCheck, Store } from 'lucide-react'
import { layoutText } from './messages'

export interface NavItem {
  readonly href: string
  readonly label: string
  readonly icon: LucideIcon
  /** Other paths that belong to it. */
  readonly also?: string
}

const { nav } = layoutText

export const home: NavItem = { href: '/', label: nav.home, icon: House }
export const approvals: NavItem = { href: '/approvals', label: nav.approvals, icon: ShieldCheck, also: '/approve' }
export const agents: NavItem = { href: '/agents', label: nav.agents, icon: Bot }
export const limits: NavItem = { href: '/limits', label: nav.limits, icon: Gauge }
export const merchants: NavItem = { href: '/merchants', label: nav.merchants, icon: Store }
export const payments: NavItem = { href: '/payments', label: nav.payments, icon: Receipt }
export const cards: NavItem = { href: '/cards', label: nav.cards, icon: CreditCard }
export const notifications: NavItem = { href: '/settings/notifications', label: nav.notifications, icon: Bell }

export function isCurrent(item: NavItem, pathname: string): boolean {
  if (item.href === '/') return pathname === '/'
  return [item.href, item.also].some(
    (path) => path !== undefined && (pathname === path || pathname.startsWith(`${path}/`)),
  )
}
