import type { layoutText } from './messages'

export interface NavItem {
  readonly href: string
  /** Its name in the texts. */
  readonly name: Exclude<keyof typeof layoutText.nav, 'label' | 'more'>
  /** Other paths that belong to it. */
  readonly also?: string
}

export const home: NavItem = { href: '/', name: 'home' }
export const approvals: NavItem = { href: '/approvals', name: 'approvals', also: '/approve' }
export const agents: NavItem = { href: '/agents', name: 'agents' }
export const limits: NavItem = { href: '/limits', name: 'limits' }
const merchants: NavItem = { href: '/merchants', name: 'merchants' }
export const payments: NavItem = { href: '/payments', name: 'payments' }
const cards: NavItem = { href: '/cards', name: 'cards' }
const activity: NavItem = { href: '/activity', name: 'activity' }
const notifications: NavItem = { href: '/settings/notifications', name: 'notifications' }
const security: NavItem = { href: '/settings/security', name: 'security' }
const credentials: NavItem = { href: '/settings/credentials', name: 'credentials' }
const privacy: NavItem = { href: '/settings/privacy', name: 'privacy' }
const age: NavItem = { href: '/settings/age', name: 'age' }
const developers: NavItem = { href: '/developers', name: 'developers' }
const accessibility: NavItem = { href: '/accessibility', name: 'accessibility' }

/** What a wide screen shows beside every page; the account's menu holds the settings. */
export const sidebarPages = [home, approvals, agents, limits, merchants, payments, cards, activity]
export const settings = [notifications, security, credentials, privacy, age, developers, accessibility]
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
