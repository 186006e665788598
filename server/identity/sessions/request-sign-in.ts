import type { Call } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import { sha256Base64url } from '../../base/protocol/encoding'
import { enqueueJob, nudgeJobs } from '../../shared/queue'
import { takeSignInQuota } from '../passkeys'
import { SIGN_IN_ACCOUNT_WINDOW_SECONDS, SIGN_IN_REQUESTS_PER_ACCOUNT, SIGN_IN_TOKEN_TTL_SECONDS } from './contract'
import { linkJobKey, MAIL_SIGN_IN_LINK, type MailSignInLinkPayload, sealAddress } from './mail-sign-in-link'
import { signInCode } from './sign-in-code'
import { insertSignInRequest } from './sign-in-request-store'

interface SignInRequest {
  readonly email: string
  /** The network address of the caller; null when it is unknown. */
  readonly address: string | null
  /** The secret in the cookie of the browser that asks. */
  readonly browser: string
}

/**
 * Mails a sign-in link to the person with this address, if there is one. A job looks the person up, so that neither the
 * answer, the time it takes nor the quotas reveal whether there is one. Returns the code that the link requires in
 * another browser. 429 rate_limited for too many requests.
 */
export async function requestSignIn(
  call: Pick<Call, 'platform' | 'now'>,
  request: SignInRequest,
): Promise<{ readonly code: string }> {
  const { platform, now } = call
  await takeQuotas(platform, request)
  const id = platform.random.uuid()
  await platform.db.transaction(async (tx) => {
    await insertSignInRequest(tx, {
      id,
      browserHash: sha256Base64url(request.browser),
      sealedEmail: sealAddress(platform.sealer, id, request.email),
      now,
      expiresAt: new Date(now.getTime() + SIGN_IN_TOKEN_TTL_SECONDS * 1000),
    })
    const payload = { request_id: id } satisfies MailSignInLinkPayload
    await enqueueJob(tx, call, { kind: MAIL_SIGN_IN_LINK, key: linkJobKey(id), payload })
  })
  nudgeJobs(platform)
  return { code: signInCode(platform, id) }
}

/**
 * Counts a request against the quotas. An account has one for each network address, so that a stranger elsewhere cannot
 * lock its owner out. It is counted last, so that a request which another quota refuses uses up no link.
 */
async function takeQuotas(platform: Platform, { email, address }: SignInRequest): Promise<void> {
  await takeSignInQuota(platform, { name: 'sign-in', address, perMinute: platform.config.signInLinksPerMinute })
  await takeQuota(platform.rateLimits, {
    key: `sign-in:${address ?? 'unknown'}:${sha256Base64url(email.toLowerCase())}`,
    limit: SIGN_IN_REQUESTS_PER_ACCOUNT,
    windowSeconds: SIGN_IN_ACCOUNT_WINDOW_SECONDS,
    message: 'Too many sign-in links were requested for this address. Try again later.',
  })
}
