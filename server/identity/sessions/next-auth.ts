import { NextRequest } from 'next/server'
import NextAuth, { type AuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { Platform } from '../../base/core/platform'
import { SESSION_MAX_SECONDS } from './contract'
import {
  cookieOptions,
  cookieSecret,
  decryptSessionCookie,
  fromToken,
  isSecure,
  readBrowserSecret,
  toToken,
} from './cookie'
import { deviceLabel } from './device-label'
import { openDemoSession, openSessionByPasskey, openSessionByToken, type SignInAttempt } from './open-session'
import { revokeSession } from './store'

/** A request to a route of the sign-in library: a GET without a form, a POST with one. */
export interface NextAuthCall {
  /** The segments of its path below /api/auth. */
  readonly route: readonly string[]
  readonly form?: Readonly<Record<string, string>>
}

/**
 * Runs the sign-in library's route handler: it checks the CSRF token, asks a provider of ours for the proof and sets the
 * session cookie. It reads cookies through `next/headers`, so this works only while Next.js is handling `request`.
 * Throws what a provider of ours threw.
 */
export async function runNextAuth(
  platform: Platform,
  request: Request,
  { route, form }: NextAuthCall,
): Promise<Response> {
  const url = new URL(['/api/auth', ...route].join('/'), platform.config.baseUrl)
  const headers = { 'content-type': 'application/json' }
  const init = form === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(form) }
  const faults: unknown[] = []
  const options = optionsFor(platform, request, faults)
  const answer = (await NextAuth(new NextRequest(url, init), { params: { nextauth: [...route] } }, options)) as Response
  if (faults.length > 0) throw faults[0]
  return answer
}

type OpenSession = (platform: Platform, attempt: SignInAttempt) => Promise<string | null>

/**
 * Returns the library's options. `faults` receives the errors of our own code, which the library would answer as
 * refused sign-ins.
 */
function optionsFor(platform: Platform, request: Request, faults: unknown[]): AuthOptions {
  const orFault = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work
    } catch (cause) {
      faults.push(cause)
      return null
    }
  }
  const open = async (openSession: OpenSession, form: Record<string, string> = {}) => {
    const device = deviceLabel(request.headers.get('user-agent'))
    const browser = readBrowserSecret(platform, request.headers)
    const id = await orFault(openSession(platform, { form, device, browser }))
    return id === null ? null : { id }
  }
  return {
    secret: cookieSecret(platform),
    useSecureCookies: isSecure(platform),
    cookies: cookieOptions(platform),
    session: { strategy: 'jwt', maxAge: SESSION_MAX_SECONDS },
    jwt: { decode: async ({ token }) => (token === undefined ? null : decryptSessionCookie(platform, token)) },
    providers: [
      CredentialsProvider({
        id: 'magic-link',
        name: 'Magic link',
        credentials: { token: {}, code: {} },
        authorize: (form) => open(openSessionByToken, form),
      }),
      CredentialsProvider({
        id: 'passkey',
        name: 'Passkey',
        credentials: { challenge_id: {}, response: {} },
        authorize: (form) => open(openSessionByPasskey, form),
      }),
      CredentialsProvider({
        id: 'demo',
        name: 'Demo',
        credentials: {},
        authorize: () => open(openDemoSession),
      }),
    ],
    callbacks: {
      // Called for a new session only: the others are renewed by `rotateSession`.
      jwt: ({ user }) => toToken({ id: user.id, generation: 0 }),
      redirect: () => platform.config.baseUrl,
    },
    events: {
      signOut: async ({ token }) => {
        const claims = fromToken(token)
        if (claims !== null)
          await orFault(revokeSession(platform.db, claims.id, { by: 'window', now: platform.clock.now() }))
      },
    },
    // The library keeps one logger for all requests. Unreadable cookies are routine (expired, another installation), so
    // they are logged as warnings.
    logger: {
      error: (code) => platform.log.warn('sign-in library', { code }),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}
