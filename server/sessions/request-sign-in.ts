import type { Call } from '../core/call'
import { ServiceError } from '../core/errors'
import { queueMessage } from '../notifications'
import { PORTAL_TENANT_ID } from '../principals'
import { sha256Base64url } from '../protocol/encoding'
import { nudgeJobs } from '../queue'
import {
  CONFIRM_PATH,
  SIGN_IN_ADDRESS_WINDOW_SECONDS,
  SIGN_IN_REQUESTS_PER_ADDRESS,
  SIGN_IN_REQUESTS_PER_MINUTE,
  SIGN_IN_TOKEN_TTL_SECONDS,
} from './contract'
import { insertSignInToken } from './store'

/**
 * Mails a sign-in link to the person with this address, if there is one. Nothing about the answer tells whether there is:
 * quotas are taken and refused alike.
 */
export async function requestSignIn(call: Pick<Call, 'platform' | 'now'>, email: string): Promise<void> {
  const { platform, now } = call
  await takeQuotas(call, email)
  const token = platform.random.token(32)
  const tokenHash = sha256Base64url(token)
  await platform.db.transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + SIGN_IN_TOKEN_TTL_SECONDS * 1000)
    const person = await insertSignInToken(tx, { tokenHash, tenantId: PORTAL_TENANT_ID, email, now, expiresAt })
    if (person === null) return
    const link = `${platform.config.baseUrl}${CONFIRM_PATH}#token=${token}`
    await queueMessage(tx, call, {
      eventKey: `sign-in:${tokenHash}`,
      principalId: person.principal_id,
      channel: 'email',
      recipient: person.email,
      subject: 'Sign in to Countersign',
      text:
        `Open this link to sign in. It works once, for 15 minutes: ${link}\n\n` +
        'If you did not ask for it, ignore this message; nobody is signed in by it alone.',
      links: [link],
      data: null,
    })
  })
  // Whether or not there is such a person.
  nudgeJobs(platform)
}

async function takeQuotas({ platform }: Pick<Call, 'platform'>, email: string): Promise<void> {
  const address = sha256Base64url(email.toLowerCase())
  const own = await platform.rateLimits.take(
    `sign-in:${address}`,
    SIGN_IN_REQUESTS_PER_ADDRESS,
    SIGN_IN_ADDRESS_WINDOW_SECONDS,
  )
  if (!own.allowed) throw tooMany('Too many sign-in links were asked for this address.', own.retryAfterSeconds)
  const all = await platform.rateLimits.take('sign-in', SIGN_IN_REQUESTS_PER_MINUTE, 60)
  if (!all.allowed) throw tooMany('Too many sign-in links are being asked for.', all.retryAfterSeconds)
}

function tooMany(description: string, seconds: number): ServiceError {
  return new ServiceError('rate_limited', `${description} Try again later.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
