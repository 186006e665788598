import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth, { type AuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { Platform } from '../core/platform'
import { SESSION_MAX_SECONDS } from './contract'
import { cookieOptions, cookieSecret, isSecure } from './cookie'
import { openDemoSession, openSessionByPasskey, openSessionByToken, type SignInAttempt } from './open-session'
import { revokeSession } from './store'

/** What the sign-in library is asked to do. */
export interface AuthAction {
  readonly method: 'GET' | 'POST'
  /** Its route below /api/auth. */
  readonly route: readonly string[]
  readonly cookies: ReadonlyMap<string, string>
  readonly body: Readonly<Record<string, string>>
  /** What kind of device asks, for the session that may be opened. */
  readonly device?: string | null
  /** Which of its session's cookies a cookie made anew is. */
  readonly generation?: number
}

export interface AuthResult {
  readonly status: number
  readonly cookies: readonly string[]
  readonly body: unknown
}

/**
 * Runs the sign-in library for its cookies: it checks the CSRF token and seals a session id into the session cookie
 * after a proof of ours, or anew. It sees nothing of the request but that, so no header of a client can tell it who we are, and
 * of its answer the caller takes status, cookies and body.
 */
export async function runNextAuth(platform: Platform, action: AuthAction): Promise<AuthResult> {
  const answer = { status: 200, headers: new Map<string, unknown>(), body: null as unknown }
  const failure: { cause?: unknown } = {}
  const request = {
    method: action.method,
    query: { nextauth: [...action.route] },
    headers: {},
    cookies: Object.fromEntries(action.cookies),
    // It answers JSON instead of a redirect then.
    body: { ...action.body, json: 'true' },
  }
  await NextAuth(
    request as unknown as NextApiRequest,
    collector(answer) as unknown as NextApiResponse,
    optionsFor(platform, { device: action.device ?? null, generation: action.generation ?? 0, failure }),
  )
  if ('cause' in failure) throw failure.cause
  const cookies = answer.headers.get('set-cookie')
  return { status: answer.status, cookies: Array.isArray(cookies) ? (cookies as string[]) : [], body: answer.body }
}

function collector(answer: { status: number; headers: Map<string, unknown>; body: unknown }) {
  const response = {
    status(code: number) {
      answer.status = code
      return response
    },
    getHeader: (name: string) => answer.headers.get(name.toLowerCase()),
    setHeader(name: string, value: unknown) {
      answer.headers.set(name.toLowerCase(), value)
      return response
    },
    json(body: unknown) {
      answer.body = body
    },
    send(body: unknown) {
      answer.body = body
    },
    end: () => undefined,
  }
  return response
}

type Opening = (platform: Platform, attempt: SignInAttempt) => Promise<string | null>

interface Surroundings {
  readonly device: string | null
  readonly generation: number
  /** Where a fault of ours is kept from the library. */
  readonly failure: { cause?: unknown }
}

function optionsFor(platform: Platform, { device, generation, failure }: Surroundings): AuthOptions {
  /** The library would turn any error into a refusal; a fault of ours must stay one. */
  const proof = async (open: Opening, given: Record<string, string> = {}) => {
    try {
      const id = await open(platform, { given, device })
      return id === null ? null : { id }
    } catch (cause) {
      failure.cause = cause
      return null
    }
  }
  return {
    secret: cookieSecret(platform),
    useSecureCookies: isSecure(platform),
    cookies: cookieOptions(platform),
    session: { strategy: 'jwt', maxAge: SESSION_MAX_SECONDS },
    providers: [
      CredentialsProvider({
        id: 'magic-link',
        name: 'Magic link',
        credentials: { token: {} },
        authorize: (given) => proof(openSessionByToken, given),
      }),
      CredentialsProvider({
        id: 'passkey',
        name: 'Passkey',
        credentials: { challenge_id: {}, response: {} },
        authorize: (given) => proof(openSessionByPasskey, given),
      }),
      CredentialsProvider({
        id: 'demo',
        name: 'Demo',
        credentials: {},
        authorize: () => proof(openDemoSession),
      }),
    ],
    callbacks: {
      // The cookie says which session it is of and the how manyth of its cookies, and nothing about the person.
      jwt: ({ token, user }) => ({ sid: user === undefined ? token['sid'] : user.id, gen: generation }),
      redirect: () => platform.config.baseUrl,
    },
    events: {
      signOut: async ({ token }) => {
        const id: unknown = token?.['sid']
        if (typeof id !== 'string') return
        try {
          await revokeSession(platform.db, id, platform.clock.now())
        } catch (cause) {
          failure.cause = cause
        }
      },
    },
    // The library keeps one logger for all requests. A cookie that it cannot read is everyday.
    logger: {
      error: (code) => platform.log.warn('sign-in library', { code }),
      warn: () => undefined,
      debug: () => undefined,
    },
  }
}
