import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { findPrincipalByEmail, PORTAL_TENANT_ID } from '../../shared/principals'
import { finishPasskeySignIn } from '../passkeys'
import { authenticationResponse } from '../passkeys/contract'
import { DEMO_EMAIL, SESSION_MAX_SECONDS } from './contract'
import { consumeSignInToken, insertSession, type NewSession } from './store'

/** 32 bytes as base64url. */
const SIGN_IN_TOKEN = /^[\w-]{43}$/

/** The members of the sign-in form, and the device as `deviceLabel` returns it. */
export interface SignInAttempt {
  readonly form: Readonly<Record<string, string>>
  readonly device: string | null
}

/** Consumes the token of a sign-in link and opens a session. Returns its id, or null for an unknown, used or expired token. */
export async function openSessionByToken(
  platform: Platform,
  { form: { token }, device }: SignInAttempt,
): Promise<string | null> {
  if (token === undefined || !SIGN_IN_TOKEN.test(token)) return null
  const session = newSession(platform, device)
  return (await consumeSignInToken(platform.db, sha256Base64url(token), session)) ? session.id : null
}

/** Opens a session of the sandbox's demo person. Returns its id, or null where there is no such person. */
export async function openDemoSession(platform: Platform, { device }: SignInAttempt): Promise<string | null> {
  if (!platform.config.sandbox) return null
  const person = await findPrincipalByEmail(platform.db, PORTAL_TENANT_ID, DEMO_EMAIL)
  if (person === null) return null
  const session = newSession(platform, device)
  await insertSession(platform.db, { principalId: person.id, method: 'demo' }, session)
  return session.id
}

/** Opens a session of the person whose passkey signed the challenge. Returns its id, or null when none did. */
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
