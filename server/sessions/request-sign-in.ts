import type { Call } from '../core/call'
import { takeQuota } from '../core/take-quota'
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

async function takeQuotas({ platform: { rateLimits } }: Pick<Call, 'platform'>, email: string): Promise<void> {
  await takeQuota(rateLimits, {
    key: `sign-in:${sha256Base64url(email.toLowerCase())}`,
    limit: SIGN_IN_REQUESTS_PER_ADDRESS,
    windowSeconds: SIGN_IN_ADDRESS_WINDOW_SECONDS,
    words: 'Too many sign-in links were asked for this address. Try again later.',
  })
  await takeQuota(rateLimits, {
    key: 'sign-in',
    limit: SIGN_IN_REQUESTS_PER_MINUTE,
    windowSeconds: 60,
    words: 'Too many sign-in links are being asked for. Try again later.',
  })
}
