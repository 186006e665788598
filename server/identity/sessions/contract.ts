import * as z from 'zod'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '../../base/core/sign-in-input'

/** A session ends after this, however much it is used. */
export const SESSION_MAX_SECONDS = 12 * 60 * 60
/** A use within this time of the last recorded one is not recorded. */
export const SESSION_TOUCH_SECONDS = 60
/** A cookie older than this is replaced by the next one of its session. */
export const SESSION_ROTATION_SECONDS = 60 * 60
/** A replaced cookie is accepted for this long, for requests that were under way. */
export const SESSION_ROTATION_GRACE_SECONDS = 30
export const SIGN_IN_TOKEN_TTL_SECONDS = 15 * 60
/** So often may the code of a link be tried. */
export const SIGN_IN_TRIES_MAX = 5
/** What one network address may request for one account. */
export const SIGN_IN_REQUESTS_PER_ACCOUNT = 5
export const SIGN_IN_ACCOUNT_WINDOW_SECONDS = 15 * 60

/** The sandbox's built-in person. */
export const DEMO_EMAIL = 'ada@demo.test'
/** The page that signs in at the press of a button. The token is in the fragment, which browsers do not send. */
export const CONFIRM_PATH = '/sign-in/confirm'

export const signInRequest = z.strictObject({
  email: z.string().trim().min(3).max(MAIL_ADDRESS_MAX).regex(MAIL_ADDRESS, { error: 'must be an e-mail address' }),
})

/** What the page of a sign-in link says before anything is done. */
export interface SignInLinkView {
  /** Whose wallet the link opens, such as a•••@example.org. */
  readonly email: string
  /** Whether the link was opened in another browser than the one that asked for it. */
  readonly asks_code: boolean
}

/** Ends one session, named by its hash in its owner's list. */
export const endSessionProcedure = definePortalProcedure({
  input: z.strictObject({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
})
