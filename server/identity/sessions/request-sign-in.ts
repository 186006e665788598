import type { Call } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import { sha256Base64url } from '../../base/protocol/encoding'
import { queueMessage } from '../../shared/notifications'
import { PORTAL_TENANT_ID } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { takeSignInQuota } from '../passkeys'
import {
  CONFIRM_PATH,
  SIGN_IN_ACCOUNT_WINDOW_SECONDS,
  SIGN_IN_REQUESTS_PER_ACCOUNT,
  SIGN_IN_TOKEN_TTL_SECONDS,
} from './contract'
import { insertSignInToken } from './store'

interface SignInRequest {
  readonly email: string
  /** The network address that it came from; null when it is unknown. */
  readonly address: string | null
}

/**
 * Mails a sign-in link to the person with this address, if there is one. The answer does not reveal whether there is, and
 * neither do the quotas. 429 rate_limited for too many requests.
 */
export async function requestSignIn(call: Pick<Call, 'platform' | 'now'>, request: SignInRequest): Promise<void> {
  const { platform, now } = call
  const { email } = request
  await takeQuotas(platform, request)
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

/** An account has a quota for each address that asks, so that a stranger elsewhere cannot keep its owner out. */
async function takeQuotas(platform: Platform, { email, address }: SignInRequest): Promise<void> {
  await takeQuota(platform.rateLimits, {
    key: `sign-in:${address ?? 'unknown'}:${sha256Base64url(email.toLowerCase())}`,
    limit: SIGN_IN_REQUESTS_PER_ACCOUNT,
    windowSeconds: SIGN_IN_ACCOUNT_WINDOW_SECONDS,
    message: 'Too many sign-in links were requested for this address. Try again later.',
  })
  await takeSignInQuota(platform, { name: 'sign-in', address, perMinute: platform.config.signInLinksPerMinute })
}
