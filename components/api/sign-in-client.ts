import type { AuthenticationResponse, PasskeyRequest } from '../../server/identity/passkeys/contract'
import type { SignInLinkView } from '../../server/identity/sessions/contract'

const AUTH_URL = '/api/auth'

/** The outcome of a sign-in step; `code` is the service's error code, null when the service could not be reached. */
export type SignInOutcome = { readonly ok: true } | SignInRefusal

interface SignInRefusal {
  readonly ok: false
  readonly code: string | null
}

/** The outcome of requesting a sign-in link; `code` must be typed when the link is opened in another browser. */
export type SignInLinkOutcome = { readonly ok: true; readonly code: string } | SignInRefusal

export type SignInLinkReading = { readonly ok: true; readonly link: SignInLinkView } | SignInRefusal

const UNREACHABLE: SignInRefusal = { ok: false, code: null }

/** A challenge for a passkey, with its id. */
export interface PasskeyQuestion {
  readonly challenge_id: string
  readonly options: PasskeyRequest
}

export interface PasskeyAnswer {
  readonly challenge_id: string
  readonly response: AuthenticationResponse
}

/** Requests a sign-in link. The answer does not reveal whether a person has that address. */
export async function requestSignInLink(email: string): Promise<SignInLinkOutcome> {
  return attempt(async () => {
    const response = await send('/sign-in-link', { email })
    return response.ok ? { ok: true, code: ((await response.json()) as { code: string }).code } : refusalOf(response)
  })
}

/** Reads what a sign-in link would do, without using it up. */
export async function readSignInLink(token: string): Promise<SignInLinkReading> {
  return attempt(async () => {
    const response = await send('/read-sign-in-link', { token })
    return response.ok ? { ok: true, link: (await response.json()) as SignInLinkView } : refusalOf(response)
  })
}

/**
 * Uses the token of a sign-in link; in another browser than the one that requested it, with that one's code. Call it
 * when the person presses the button, never when the page opens.
 */
export function confirmSignIn(proof: { readonly token: string; readonly code?: string }): Promise<SignInOutcome> {
  return postWithCsrf('/callback/magic-link', proof)
}

/** Requests a challenge for any passkey of this site; null when there is none now. */
export async function readPasskeyQuestion(): Promise<PasskeyQuestion | null> {
  try {
    const response = await send('/passkey-options', {})
    return response.ok ? ((await response.json()) as PasskeyQuestion) : null
  } catch {
    return null
  }
}

/** Signs in the person whose passkey signed the challenge. */
export function signInByPasskey({ challenge_id, response }: PasskeyAnswer): Promise<SignInOutcome> {
  return postWithCsrf('/callback/passkey', { challenge_id, response })
}

/** Signs in as the sandbox's demo person. */
export function signInAsDemo(): Promise<SignInOutcome> {
  return postWithCsrf('/callback/demo', {})
}

/** Ends this session. */
export function signOut(): Promise<SignInOutcome> {
  return postWithCsrf('/signout', {})
}

function postWithCsrf(path: string, body: Record<string, unknown>): Promise<SignInOutcome> {
  return attempt(async () => {
    const answer = await fetch(`${AUTH_URL}/csrf`, { headers: { accept: 'application/json' } })
    const { csrfToken } = (await answer.json()) as { csrfToken: string }
    const response = await send(path, { ...body, csrfToken })
    return response.ok ? { ok: true } : refusalOf(response)
  })
}

async function attempt<T>(step: () => Promise<T | SignInRefusal>): Promise<T | SignInRefusal> {
  try {
    return await step()
  } catch {
    return UNREACHABLE
  }
}

async function refusalOf(response: Response): Promise<SignInRefusal> {
  const { error } = (await response.json()) as { error?: string }
  return { ok: false, code: error ?? 'server_error' }
}

function send(path: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(AUTH_URL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
}
