import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { sessionHandle } from '../../../base/protocol/session-handle'
import { listUndoable } from '../../../identity/contacts'
import { listPasskeys } from '../../../identity/passkeys'
import { findDevicesByHandle, listSignIns, parseDeviceLabel, type SignIn } from '../../../identity/sessions'
import { type AuditEntry, listAudit, type Means } from '../../../shared/audit'
import { type ActivityNames, findActivityNames } from '../shared/activity-names'
import { entryFacts, text } from '../shared/entry-facts'
import type { securityActivityProcedure } from './contract'
import { type ActiveAccess, shortcutOf } from './shortcut'
import { findActiveAgents } from './store'
import type { SecurityActivityView, SecurityChange, SecuritySignIn } from './view'

const PAGE_ENTRIES = 30

type Position = NonNullable<ProcedureInput<typeof securityActivityProcedure>['before']>

/**
 * Returns the security activity, newest first: entries of the audit chain and the sign-ins of the last thirty days.
 * Also returns the changes that can still be undone.
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
    entries: await renderEntries(call, shown),
    next_before: happened.length > PAGE_ENTRIES ? cursorAfter(before, shown) : null,
  }
}

type ActivityItem = { readonly at: number } & ({ readonly entry: AuditEntry } | { readonly signIn: SignIn })

/** Merges two sorted lists. At the same instant an act comes above the sign-in that allowed it. */
function merge(entries: readonly AuditEntry[], signIns: readonly SignIn[]): ActivityItem[] {
  const changes = entries.map((entry) => ({ at: Date.parse(entry.ts), entry }))
  return [...changes, ...signIns.map((signIn) => ({ at: signIn.at.getTime(), signIn }))].toSorted(
    (one, other) => other.at - one.at,
  )
}

/** Returns the cursor of the next page, with the position in each of the two lists. */
function cursorAfter(before: Position, shown: readonly ActivityItem[]): string {
  const entry = shown.findLast((one) => 'entry' in one)
  const last = shown.findLast((one) => 'signIn' in one)
  const seq = entry?.entry.seq ?? before.seq ?? 0
  const signIn = last?.signIn ?? before.signIn
  return signIn === null ? String(seq) : `${seq}_${signIn.at.getTime()}_${signIn.handle}`
}

async function renderEntries(
  call: WalletCall,
  shown: readonly ActivityItem[],
): Promise<SecurityActivityView['entries']> {
  const { platform, actor } = call
  const { db } = platform
  const entries = shown.flatMap((one) => ('entry' in one ? [one.entry] : []))
  const handles = entries.flatMap(({ payload }) => text(payload['session']) ?? [])
  const [names, agents, keys, devices] = await Promise.all([
    findActivityNames(db, actor.principalId, entries),
    findActiveAgents(db, actor.principalId),
    listPasskeys(call),
    findDevicesByHandle(db, actor.principalId, [...new Set(handles)]),
  ])
  const thisSession = actor.session === null ? null : sessionHandle(actor.session.id)
  const context = { names, agents, keys, devices, thisSession }
  return shown.map((one) => ('entry' in one ? toChange(one.entry, context) : toSignIn(one.signIn)))
}

interface Context extends ActiveAccess {
  readonly names: ActivityNames
  /** The devices on which sessions were opened, by handle. */
  readonly devices: ReadonlyMap<string, string | null>
  readonly thisSession: string | null
}

function toChange(entry: AuditEntry, context: Context): SecurityChange {
  const { names } = context
  const facts = entryFacts(entry, names)
  const holder = text(entry.payload['token_client_id'])
  return {
    kind: 'change',
    ...facts,
    means: text(entry.payload['means']) as Means | null,
    by: holder === null ? null : { client_id: holder, label: names.agents.get(holder) ?? holder },
    where: whereOf(entry, context),
    shortcut: shortcutOf(facts, entry, context),
  }
}

function whereOf({ payload }: AuditEntry, { devices, thisSession }: Context): SecurityChange['where'] {
  const handle = text(payload['session'])
  const device = handle === null ? undefined : devices.get(handle)
  return device === undefined ? null : { device: parseDeviceLabel(device), this_one: handle === thisSession }
}

function toSignIn({ handle, at, ...rest }: SignIn): SecuritySignIn {
  return { kind: 'sign_in', ts: at.toISOString(), session: handle, ...rest }
}
