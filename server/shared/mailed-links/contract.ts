/** The page that says what a link does, and asks. The token is in the fragment, which browsers do not send. */
export const MAILED_LINK_PATH = '/mailed-link'

/** What undoes a change works this long. */
export const UNDO_TTL_SECONDS = 72 * 60 * 60
export const CONFIRM_EMAIL_TTL_SECONDS = 24 * 60 * 60

/** What a mailed link does once the page behind it is confirmed, and what it is about. */
interface LinkSubjects {
  /** The address to use from then on. */
  readonly confirm_email: { readonly email: string }
  /** The address to go back to, and the session that asked for another, by its hash. */
  readonly undo_email: { readonly email: string; readonly session: string | null }
  /**
   * The name of the passkey, the session that added it, by its hash, and the address that the link was mailed to, which
   * links of before it was kept do not name.
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
