import type { layoutText } from './messages'

export interface NavItem {
  readonly href: string
  /** The key of its name in the texts. */
  readonly name: Exclude<keyof typeof layoutText.nav, 'label' | 'more'>
  /** The beginning of other paths that belong to it. */
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

/** The pages in the sidebar of a wide screen; the account's menu has the settings. */
export const sidebarPages = [home, approvals, agents, limits, merchants, payments, cards, activity]
export const settings = [notifications, security, credentials, privacy, age, developers, accessibility]
/** The pages in the tab bar of a phone; `morePages` are behind "More". */
export const tabPages = [home, approvals, agents, payments]
export const morePages = [limits, merchants, cards, activity, ...settings]
export const pages = [...sidebarPages, ...settings]

export function isCurrent(item: NavItem, pathname: string): boolean {
  if (item.href === '/') return pathname === '/'
  return [item.href, item.also].some(
    (path) => path !== undefined && (pathname === path || pathname.startsWith(`${path}/`)),
  )
}
