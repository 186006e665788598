import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { listUndoable } from '../../../identity/contacts'
import { listPasskeys } from '../../../identity/passkeys'
import type { PasskeysView } from '../../../identity/passkeys/contract'
import { listSignIns, type SignIn } from '../../../identity/sessions'
import { type AuditEntry, listAudit, type Means } from '../../../shared/audit'
import { type ActivityNames, findActivityNames } from '../shared/activity-names'
import { entryFacts, text } from '../shared/entry-facts'
import type { securityActivityProcedure } from './contract'
import { findLivingAgents } from './store'
import type { SecurityActivityView, SecurityChange, SecurityShortcut, SecuritySignIn } from './view'

const PAGE_ENTRIES = 30

type Position = NonNullable<ProcedureInput<typeof securityActivityProcedure>['before']>

/**
 * What concerned the safety of the wallet, newest first: entries of the audit chain, and the sign-ins of the last thirty
 * days; and the changes that can still be undone.
 */
export async function listSecurityActivity(
  call: WalletCall,
  { before = { seq: null, signIn: null } }: ProcedureInput<typeof securityActivityProcedure>,
): Promise<SecurityActivityView> {
  const limit = PAGE_ENTRIES + 1
  const [undoable, entries, signIns] = await Promise.all([
    listUndoable(call),
    listAudit(call, { security: true, beforeSeq: before.seq ?? undefined, limit }),
    listSignIns(call, { after: before.signIn, limit }),
  ])
  const happened = merge(entries, signIns)
  const shown = happened.slice(0, PAGE_ENTRIES)
  return {
    undoable,
    entries: await presentAll(call, shown),
    next_before: happened.length > PAGE_ENTRIES ? cursorAfter(before, shown) : null,
  }
}

type Happened = { readonly at: number } & ({ readonly entry: AuditEntry } | { readonly signIn: SignIn })

/** Both are in order already. At the same instant what was done stands above the sign-in that allowed it. */
function merge(entries: readonly AuditEntry[], signIns: readonly SignIn[]): Happened[] {
  const changes = entries.map((entry) => ({ at: Date.parse(entry.ts), entry }))
  return [...changes, ...signIns.map((signIn) => ({ at: signIn.at.getTime(), signIn }))].toSorted(
    (one, other) => other.at - one.at,
  )
}

/** Where the next page goes on in each of the two lists. */
function cursorAfter(before: Position, shown: readonly Happened[]): string {
  const entry = shown.findLast((one) => 'entry' in one)
  const last = shown.findLast((one) => 'signIn' in one)
  const seq = entry?.entry.seq ?? before.seq ?? 0
  const signIn = last?.signIn ?? before.signIn
  return signIn === null ? String(seq) : `${seq}_${signIn.at.getTime()}_${signIn.handle}`
}

async function presentAll(call: WalletCall, shown: readonly Happened[]): Promise<SecurityActivityView['entries']> {
  const { platform, actor } = call
  const entries = shown.flatMap((one) => ('entry' in one ? [one.entry] : []))
  const [names, agents, keys] = await Promise.all([
    findActivityNames(platform.db, actor.principalId, entries),
    findLivingAgents(platform.db, actor.principalId),
    listPasskeys(call),
  ])
  return shown.map((one) => ('entry' in one ? toChange(one.entry, names, { agents, keys }) : toSignIn(one.signIn)))
}

interface Living {
  readonly agents: ReadonlySet<string>
  readonly keys: PasskeysView
}

function toChange(entry: AuditEntry, names: ActivityNames, living: Living): SecurityChange {
  const facts = entryFacts(entry, names)
  const holder = text(entry.payload['token_client_id'])
  return {
    kind: 'change',
    ...facts,
    means: text(entry.payload['means']) as Means | null,
    by: holder === null ? null : { client_id: holder, label: names.agents.get(holder) ?? holder },
    shortcut: shortcutOf(facts, entry, living),
  }
}

const ADMITTING: ReadonlySet<string> = new Set(['oid4ac.agent.connected', 'oid4ac.consent.approved'])

function shortcutOf(
  { event, agent }: Pick<SecurityChange, 'event' | 'agent'>,
  { payload }: AuditEntry,
  { agents, keys }: Living,
): SecurityShortcut | null {
  if (ADMITTING.has(event) && agent !== null && agents.has(agent.client_id)) return { kind: 'revoke_agent', ...agent }
  return payload['what'] === 'passkey' ? removalOf(text(payload['passkey_id']), keys) : null
}

function removalOf(id: string | null, { passkeys, last_removable: lastRemovable }: PasskeysView) {
  const passkey = passkeys.find((one) => one.id === id)
  const last = passkeys.length === 1
  return passkey === undefined || (last && !lastRemovable) ? null : ({ kind: 'remove_passkey', passkey, last } as const)
}

function toSignIn({ handle, at, ...rest }: SignIn): SecuritySignIn {
  return { kind: 'sign_in', ts: at.toISOString(), session: handle, ...rest }
}
