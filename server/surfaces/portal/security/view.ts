import type { UndoableChange } from '../../../identity/contacts/contract'
import type { PasskeyView } from '../../../identity/passkeys/contract'
import type { SessionRecord } from '../../../identity/sessions'
import type { Means } from '../../../shared/audit'
import type { EntryFacts } from '../shared/view'

/** The page on which a change can be reversed by one that only tightens. */
export type SecurityPage = 'agent' | 'limits' | 'merchants' | 'cards' | 'notifications' | 'privacy'

/** The act that the list offers for an entry. */
export type SecurityShortcut =
  | { readonly kind: 'revoke_agent'; readonly client_id: string; readonly label: string }
  | { readonly kind: 'remove_passkey'; readonly passkey: PasskeyView; readonly last: boolean }
  | { readonly kind: 'open'; readonly page: Exclude<SecurityPage, 'agent'> }
  | { readonly kind: 'open'; readonly page: 'agent'; readonly client_id: string }

/** An entry of the audit chain about the safety of the wallet. */
export interface SecurityChange extends EntryFacts {
  readonly kind: 'change'
  /** How the person confirmed the change; null when the chain does not record it. */
  readonly means: Means | null
  /** The agent whose wallet token made the change; null for other callers. */
  readonly by: { readonly client_id: string; readonly label: string } | null
  /** The session in which the change was made; null for other means, and once the session is deleted. */
  readonly where: Pick<SessionRecord, 'device' | 'this_one'> | null
  readonly shortcut: SecurityShortcut | null
}

export interface SecuritySignIn extends Pick<SessionRecord, 'device' | 'method' | 'this_one'> {
  readonly kind: 'sign_in'
  readonly ts: string
  /** The handle of the session, which does not open it. */
  readonly session: string
  /** Whether it is the first by this method from such a device in thirty days. */
  readonly is_new: boolean
  readonly is_alive: boolean
}

export interface SecurityActivityView {
  /** The changes of the last 72 hours that mailed links can undo. */
  readonly undoable: readonly UndoableChange[]
  /** Newest first. */
  readonly entries: readonly (SecurityChange | SecuritySignIn)[]
  /** `before` of the next page; null on the last one. */
  readonly next_before: string | null
}
