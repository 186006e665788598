import type { Platform } from '../core/platform'
import { finishPasskeySignIn } from '../passkeys'
import { authenticationResponse } from '../passkeys/contract'
import { findPrincipalByEmail, PORTAL_TENANT_ID } from '../principals'
import { sha256Base64url } from '../protocol/encoding'
import { DEMO_EMAIL, SESSION_MAX_SECONDS } from './contract'
import { consumeSignInToken, insertSession, type NewSession } from './store'

/** 32 bytes as base64url. */
const SIGN_IN_TOKEN = /^[\w-]{43}$/

/** What a session is opened with: members as a form sends them, and the device as `deviceLabel` has it. */
export interface SignInAttempt {
  readonly given: Readonly<Record<string, string>>
  readonly device: string | null
}

/** Uses up the token of a sign-in link and opens a session; null when it is unknown, used or too old. */
export async function openSessionByToken(
  platform: Platform,
  { given: { token }, device }: SignInAttempt,
): Promise<string | null> {
  if (token === undefined || !SIGN_IN_TOKEN.test(token)) return null
  const session = newSession(platform, device)
  return (await consumeSignInToken(platform.db, sha256Base64url(token), session)) ? session.id : null
}

/** Opens a session as the sandbox's demo person; null where there is none. */
export async function openDemoSession(platform: Platform, { device }: SignInAttempt): Promise<string | null> {
  if (!platform.config.sandbox) return null
  const person = await findPrincipalByEmail(platform.db, PORTAL_TENANT_ID, DEMO_EMAIL)
  if (person === null) return null
  const session = newSession(platform, device)
  await insertSession(platform.db, { principalId: person.id, method: 'demo' }, session)
  return session.id
}

/** Opens a session for whoever's passkey signed the challenge; null when nobody's did. */
export async function openSessionByPasskey(
  platform: Platform,
  { given, device }: SignInAttempt,
): Promise<string | null> {
  const response = authenticationResponse.parse(JSON.parse(given['response'] ?? ''))
  const principalId = await finishPasskeySignIn(platform, { challengeId: given['challenge_id'] ?? '', response })
  if (principalId === null) return null
  const session = newSession(platform, device)
  await insertSession(platform.db, { principalId, method: 'passkey' }, session)
  return session.id
}

function newSession({ clock, random }: Platform, device: string | null): NewSession {
  const now = clock.now()
  return { id: random.token(24), device, now, expiresAt: new Date(now.getTime() + SESSION_MAX_SECONDS * 1000) }
}
