import type { Platform } from '../core/platform'
import { findPrincipalByEmail, PORTAL_TENANT_ID } from '../principals'
import { sha256Base64url } from '../protocol/encoding'
import { DEMO_EMAIL, SESSION_MAX_SECONDS } from './contract'
import { consumeSignInToken, insertSession, type NewSession } from './store'

/** 32 bytes as base64url. */
const SIGN_IN_TOKEN = /^[\w-]{43}$/

/** Uses up the token of a sign-in link and opens a session; null when it is unknown, used or too old. */
export async function openSessionByToken(platform: Platform, token: string | undefined): Promise<string | null> {
  if (token === undefined || !SIGN_IN_TOKEN.test(token)) return null
  const session = newSession(platform)
  return (await consumeSignInToken(platform.db, sha256Base64url(token), session)) ? session.id : null
}

/** Opens a session as the sandbox's demo person; null where there is none. */
export async function openDemoSession(platform: Platform): Promise<string | null> {
  if (!platform.config.sandbox) return null
  const person = await findPrincipalByEmail(platform.db, PORTAL_TENANT_ID, DEMO_EMAIL)
  if (person === null) return null
  const session = newSession(platform)
  await insertSession(platform.db, person.id, session)
  return session.id
}

function newSession({ clock, random }: Platform): NewSession {
  const now = clock.now()
  return { id: random.token(24), now, expiresAt: new Date(now.getTime() + SESSION_MAX_SECONDS * 1000) }
}
