import * as z from 'zod'
import { MAIL_ADDRESS, MAIL_ADDRESS_MAX } from '../core/sign-in-input'

/** However busy, a session ends after this. */
export const SESSION_MAX_SECONDS = 12 * 60 * 60
/** Uses closer together than this write nothing. */
export const SESSION_TOUCH_SECONDS = 60
/** A cookie older than this is replaced by the next one of its session. */
export const SESSION_ROTATION_SECONDS = 60 * 60
/** A replaced cookie is good for this long, for requests that were under way. */
export const SESSION_ROTATION_GRACE_SECONDS = 30
export const SIGN_IN_TOKEN_TTL_SECONDS = 15 * 60
export const SIGN_IN_REQUESTS_PER_ADDRESS = 5
export const SIGN_IN_ADDRESS_WINDOW_SECONDS = 15 * 60
/** Over all addresses together, so that nobody can use the portal to send mail to the whole world. */
export const SIGN_IN_REQUESTS_PER_MINUTE = 20

/** The sandbox's built-in person. */
export const DEMO_EMAIL = 'ada@demo.test'
/** The page that asks before it signs in; the token travels in the fragment, which browsers never send. */
export const CONFIRM_PATH = '/sign-in/confirm'

export const signInRequest = z.strictObject({
  email: z.string().trim().min(3).max(MAIL_ADDRESS_MAX).regex(MAIL_ADDRESS, { error: 'must be an e-mail address' }),
})

/** The hash that names a session in lists. */
export const sessionChoice = z.strictObject({ id: z.string().regex(/^[0-9a-f]{64}$/) })
