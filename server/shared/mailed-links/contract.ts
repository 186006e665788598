/**
 * The page that says what a link does, and asks for confirmation. The token is in the fragment, which browsers do not
 * send.
 */
export const MAILED_LINK_PATH = '/mailed-link'

/** How long a link that undoes a change is valid, in seconds. */
export const UNDO_TTL_SECONDS = 72 * 60 * 60
export const CONFIRM_EMAIL_TTL_SECONDS = 24 * 60 * 60

/** The data of a mailed link by its purpose: what it does once it is confirmed on its page. */
interface LinkSubjects {
  /** The new e-mail address, and the hash of the session that requested it, which is absent in old links. */
  readonly confirm_email: { readonly email: string; readonly session?: string | null }
  /** The address to restore, and the hash of the session that requested another. */
  readonly undo_email: { readonly email: string; readonly session: string | null }
  /**
   * The name of the passkey, the hash of the session that added it, and the address that the link was mailed to, which
   * is absent in old links.
   */
  readonly undo_passkey: { readonly name: string; readonly session: string; readonly email?: string }
}

export type LinkPurpose = keyof LinkSubjects

/** The purposes of links that undo a change. */
export const undoPurposes = ['undo_email', 'undo_passkey'] as const satisfies readonly LinkPurpose[]
export type UndoPurpose = (typeof undoPurposes)[number]

export type LinkContent = {
  [P in LinkPurpose]: { readonly purpose: P; readonly subject: LinkSubjects[P] }
}[LinkPurpose]
