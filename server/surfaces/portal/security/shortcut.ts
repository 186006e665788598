import type { PasskeysView } from '../../../identity/passkeys/contract'
import type { AuditEntry } from '../../../shared/audit'
import { text } from '../shared/entry-facts'
import type { SecurityChange, SecurityPage, SecurityShortcut } from './view'

/** The active agents and the passkeys, which a shortcut can revoke or remove. */
export interface ActiveAccess {
  readonly agents: ReadonlySet<string>
  readonly keys: PasskeysView
}

/** Returns the shortcut that reverses a change: an act, or the page with one; null for a change that only tightened. */
export function shortcutOf(
  { event, agent }: Pick<SecurityChange, 'event' | 'agent'>,
  { payload }: AuditEntry,
  { agents, keys }: ActiveAccess,
): SecurityShortcut | null {
  const { what } = payload
  const active = agent !== null && agents.has(agent.client_id) ? agent : null
  const admits = event === 'oid4ac.agent.connected' || (event === 'oid4ac.consent.approved' && what === 'wallet_access')
  if (admits) return active === null ? null : { kind: 'revoke_agent', ...active }
  if (what === 'passkey') return removalOf(text(payload['passkey_id']), keys)
  const page = pageOf(event, payload)
  if (page !== 'agent') return page === null ? null : { kind: 'open', page }
  return active === null ? null : { kind: 'open', page, client_id: active.client_id }
}

function removalOf(id: string | null, { passkeys, last_removable: lastRemovable }: PasskeysView) {
  const passkey = passkeys.find((one) => one.id === id)
  const last = passkeys.length === 1
  return passkey === undefined || (last && !lastRemovable) ? null : ({ kind: 'remove_passkey', passkey, last } as const)
}

type Payload = AuditEntry['payload']

/** The page on which a change can be tightened again, by its event. */
const pages: Readonly<Record<string, (payload: Payload) => SecurityPage | null>> = {
  'oid4ac.consent.approved': () => 'agent',
  'oid4ac.mandate.issued': () => 'cards',
  'oid4ac.card.changed': ({ to }) => (to === 'removed' ? null : 'cards'),
  'oid4ac.limits.changed': ({ what, to, agent_client_id: agent }) => {
    if (what === 'limits_lowered' || to === 'frozen' || to === 'paused') return null
    return agent == null ? 'limits' : 'agent'
  },
  'oid4ac.policy.changed': ({ what, to }) => {
    if (what === 'merchant_rule') return to === 'deny' ? null : 'merchants'
    if (what === 'merchant_gate') return to === true ? null : 'merchants'
    if (what === 'processing') return to === 'restricted' ? null : 'privacy'
    return what === 'age_proof' || to === 'every_purchase' || to === true ? null : 'limits'
  },
  'oid4ac.security.changed': ({ what, to }) =>
    (what === 'phone' || what === 'notifications' || what === 'device') && to !== 'off' ? 'notifications' : null,
}

const pageOf = (event: string, payload: Payload): SecurityPage | null => pages[event]?.(payload) ?? null
