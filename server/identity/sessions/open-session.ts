import type { Platform } from '../../base/core/platform'
import { findPrincipalByEmail, PORTAL_TENANT_ID } from '../../shared/principals'
import { finishPasskeySignIn } from '../passkeys'
import { authenticationResponse } from '../passkeys/contract'
import { DEMO_EMAIL, SESSION_MAX_SECONDS } from './contract'
import { findLinkedRequest, isAsker } from './read-sign-in-link'
import { isSignInCode } from './sign-in-code'
import { consumeSignInRequest, takeTry } from './sign-in-request-store'
import { insertSession, type NewSession } from './store'

/** The members of the sign-in form, and the device and the secret of the browser that sent it. */
export interface SignInAttempt {
  readonly form: Readonly<Record<string, string>>
  /** The kind of device, as `deviceLabel` returns it. */
  readonly device: string | null
  /** The secret in the cookie of a browser that has asked for a link. */
  readonly browser: string | null
}

/**
 * Consumes the token of a sign-in link and opens a session. A browser other than the one that asked for the link has to
 * send the code that is shown in that one; each link takes five tries. Returns the session's id, or null for an
 * unknown, used or expired token and for a wrong or missing code alike.
 */
export async function openSessionByToken(platform: Platform, attempt: SignInAttempt): Promise<string | null> {
  const { form, device, browser } = attempt
  const request = await findLinkedRequest(platform, form['token'] ?? '')
  if (request === null) return null
  if (!isAsker(request, browser) && !(await knowsCode(platform, request.id, form['code']))) return null
  const session = newSession(platform, device)
  return (await consumeSignInRequest(platform.db, request.id, session)) ? session.id : null
}

async function knowsCode(platform: Platform, requestId: string, code: string | undefined): Promise<boolean> {
  if (code === undefined || !(await takeTry(platform.db, requestId))) return false
  return isSignInCode(platform, requestId, code)
}

/** Opens a session of the sandbox's demo person. Returns its id, or null when there is no such person. */
export async function openDemoSession(platform: Platform, { device }: SignInAttempt): Promise<string | null> {
  if (!platform.config.sandbox) return null
  const person = await findPrincipalByEmail(platform.db, PORTAL_TENANT_ID, DEMO_EMAIL)
  if (person === null) return null
  const session = newSession(platform, device)
  await insertSession(platform.db, { principalId: person.id, method: 'demo' }, session)
  return session.id
}

/** Opens a session of the person whose passkey signed the challenge. Returns its id, or null when no passkey did. */
export async function openSessionByPasskey(
  platform: Platform,
  { form, device }: SignInAttempt,
): Promise<string | null> {
  const response = authenticationResponse.parse(JSON.parse(form['response'] ?? ''))
  const principalId = await finishPasskeySignIn(platform, { challengeId: form['challenge_id'] ?? '', response })
  if (principalId === null) return null
  const session = newSession(platform, device)
  await insertSession(platform.db, { principalId, method: 'passkey' }, session)
  return session.id
}

function newSession({ clock, random }: Platform, device: string | null): NewSession {
  const now = clock.now()
  return { id: random.token(24), device, now, expiresAt: new Date(now.getTime() + SESSION_MAX_SECONDS * 1000) }
}
