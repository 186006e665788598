import type { Call } from '../../base/core/call'
import { takeQuota } from '../../base/core/take-quota'
import { sha256Base64url } from '../../base/protocol/encoding'
import { queueMessage } from '../../shared/notifications'
import { PORTAL_TENANT_ID } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import {
  CONFIRM_PATH,
  SIGN_IN_ADDRESS_WINDOW_SECONDS,
  SIGN_IN_REQUESTS_PER_ADDRESS,
  SIGN_IN_TOKEN_TTL_SECONDS,
} from './contract'
import { insertSignInToken } from './store'

/**
 * Mails a sign-in link to the person with this address, if there is one. The answer does not reveal whether there is, and
 * neither do the quotas. 429 rate_limited for too many requests.
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
        'If you did not request it, ignore this message: it signs nobody in by itself.',
      links: [link],
      data: null,
    })
  })
  // Also when there is no such person, so that both take the same time.
  nudgeJobs(platform)
}

async function takeQuotas({ platform: { rateLimits, config } }: Pick<Call, 'platform'>, email: string): Promise<void> {
  await takeQuota(rateLimits, {
    key: `sign-in:${sha256Base64url(email.toLowerCase())}`,
    limit: SIGN_IN_REQUESTS_PER_ADDRESS,
    windowSeconds: SIGN_IN_ADDRESS_WINDOW_SECONDS,
    message: 'Too many sign-in links were requested for this address. Try again later.',
  })
  await takeQuota(rateLimits, {
    key: 'sign-in',
    limit: config.signInLinksPerMinute,
    windowSeconds: 60,
    message: 'Too many sign-in links are being requested. Try again later.',
  })
}
