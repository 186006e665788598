import type { UndoableChange } from '../../../identity/contacts/contract'
import type { PasskeyView } from '../../../identity/passkeys/contract'
import type { SessionRecord } from '../../../identity/sessions'
import type { Means } from '../../../shared/audit'
import type { EntryFacts } from '../shared/view'

/** Where a change can be taken back by one that only tightens. */
export type SecurityPage = 'agent' | 'limits' | 'merchants' | 'cards' | 'notifications' | 'privacy'

/** What can be done about an entry right where it stands. */
export type SecurityShortcut =
  | { readonly kind: 'revoke_agent'; readonly client_id: string; readonly label: string }
  | { readonly kind: 'remove_passkey'; readonly passkey: PasskeyView; readonly last: boolean }
  | { readonly kind: 'open'; readonly page: Exclude<SecurityPage, 'agent'> }
  | { readonly kind: 'open'; readonly page: 'agent'; readonly client_id: string }

/** An entry of the audit chain about the safety of the wallet. */
export interface SecurityChange extends EntryFacts {
  readonly kind: 'change'
  /** What it was done with; null where the chain does not say. */
  readonly means: Means | null
  /** The agent whose wallet token did it. */
  readonly by: { readonly client_id: string; readonly label: string } | null
  /** The session that it was done in; null for another way, and once the session is forgotten. */
  readonly where: Pick<SessionRecord, 'device' | 'this_one'> | null
  readonly shortcut: SecurityShortcut | null
}

export interface SecuritySignIn extends Pick<SessionRecord, 'device' | 'method' | 'this_one'> {
  readonly kind: 'sign_in'
  readonly ts: string
  /** Names the session; it opens nothing. */
  readonly session: string
  /** The first by this means from such a device in thirty days. */
  readonly is_new: boolean
  readonly is_alive: boolean
}

export interface SecurityActivityView {
  /** What the mailed links of the last 72 hours undo. */
  readonly undoable: readonly UndoableChange[]
  /** Newest first. */
  readonly entries: readonly (SecurityChange | SecuritySignIn)[]
  /** `before` of the next page; null on the last one. */
  readonly next_before: string | null
}
