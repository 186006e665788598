/** The portal's pages, for the tools that visit them. */
import type { Story } from './story'

export interface PortalPage {
  readonly name: string
  readonly path: string
}

/** The pages that need no sign-in. */
export const publicPages: readonly PortalPage[] = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'magic-link', path: '/magic-link?token=unknown' },
  { name: 'verify', path: '/verify' },
  { name: 'accessibility', path: '/accessibility' },
]

/** Returns the pages of the story's person. */
export function walletPages(story: Story): PortalPage[] {
  return [
    { name: 'home', path: '/' },
    { name: 'approvals', path: '/approvals' },
    { name: 'approvals-decided', path: '/approvals?tab=decided' },
    { name: 'approve', path: `/approve/${story.pendingId}` },
    { name: 'approve-approved', path: `/approve/${story.approvedId}` },
    { name: 'approve-declined', path: `/approve/${story.declinedId}` },
    { name: 'agents', path: '/agents' },
    { name: 'agents-new', path: '/agents/new' },
    { name: 'agent', path: `/agents/${story.agentId}` },
    { name: 'agent-revoked', path: `/agents/${story.revokedAgentId}` },
    { name: 'limits', path: '/limits' },
    { name: 'merchants', path: '/merchants' },
    { name: 'merchant', path: '/merchants/tallow-books' },
    { name: 'payments', path: '/payments' },
    { name: 'payment', path: `/payments/${story.paymentId}` },
    { name: 'payment-disputed', path: `/payments/${story.disputedPaymentId}` },
    { name: 'cards', path: '/cards' },
    { name: 'activity', path: '/activity' },
    { name: 'developers', path: '/developers' },
    { name: 'settings-notifications', path: '/settings/notifications' },
    { name: 'settings-security', path: '/settings/security' },
    { name: 'settings-security-activity', path: '/settings/security/activity' },
    { name: 'settings-credentials', path: '/settings/credentials' },
    { name: 'settings-privacy', path: '/settings/privacy' },
    { name: 'settings-age', path: '/settings/age' },
    { name: 'welcome-passkey', path: '/welcome?step=1' },
    { name: 'welcome-card', path: '/welcome?step=2' },
    { name: 'welcome-limits', path: '/welcome?step=3' },
    { name: 'welcome-agent', path: '/welcome?step=4' },
    { name: 'welcome-ready', path: '/welcome?step=done' },
    { name: 'settings-privacy-erase', path: '/settings/privacy/erase' },
  ]
}
