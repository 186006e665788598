import * as z from 'zod'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '../../base/core/sign-in-input'

/** The lifetime of a session, however much it is used. */
export const SESSION_MAX_SECONDS = 12 * 60 * 60
/** The time after a recorded use within which another is not recorded. */
export const SESSION_TOUCH_SECONDS = 60
/** The age from which a cookie is replaced by the next one of its session. */
export const SESSION_ROTATION_SECONDS = 60 * 60
/** The time for which a replaced cookie is still accepted, for requests that were under way. */
export const SESSION_ROTATION_GRACE_SECONDS = 30
export const SIGN_IN_TOKEN_TTL_SECONDS = 15 * 60
/** How often the code of a link may be tried. */
export const SIGN_IN_TRIES_MAX = 5
/** The number of links that one network address may request for one account in the window. */
export const SIGN_IN_REQUESTS_PER_ACCOUNT = 5
export const SIGN_IN_ACCOUNT_WINDOW_SECONDS = 15 * 60

/** The sandbox's built-in person. */
export const DEMO_EMAIL = 'ada@demo.test'
/** The page that signs in once its button is pressed. The token is in the fragment, which browsers do not send. */
export const CONFIRM_PATH = '/sign-in/confirm'

export const signInRequest = z.strictObject({
  email: z.string().trim().min(3).max(MAIL_ADDRESS_MAX).regex(MAIL_ADDRESS, { error: 'must be an e-mail address' }),
})

/** The content of a sign-in link's page before the person signs in. */
export interface SignInLinkView {
  /** The masked address of the person whom the link signs in, such as a•••@example.org. */
  readonly email: string
  /** Whether the link was opened in another browser than the one that asked for it. */
  readonly asks_code: boolean
}

/** Ends one session, named by its hash in its owner's list. */
export const endSessionProcedure = definePortalProcedure({
  input: z.strictObject({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
})
