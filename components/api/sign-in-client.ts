import type { AuthenticationResponse, PasskeyRequest } from '../../server/identity/passkeys/contract'

const AUTH_URL = '/api/auth'

/** The outcome of a sign-in step; `code` is the service's error code, null when the service could not be reached. */
export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly code: string | null }

const UNREACHABLE: SignInOutcome = { ok: false, code: null }

/** A challenge for a passkey, with its id. */
export interface PasskeyQuestion {
  readonly challenge_id: string
  readonly options: PasskeyRequest
}

export interface PasskeyAnswer {
  readonly challenge_id: string
  readonly response: AuthenticationResponse
}

/** Requests a sign-in link. The answer is the same whether or not a person has that address. */
export function requestSignInLink(email: string): Promise<SignInOutcome> {
  return post('/sign-in-link', { email })
}

/** Uses the token of a sign-in link. Call it when the person presses the button, never when the page opens. */
export function confirmSignIn(token: string): Promise<SignInOutcome> {
  return postWithCsrf('/callback/magic-link', { token })
}

/** A challenge for any passkey of this site; null when none can be had now. */
export async function readPasskeyQuestion(): Promise<PasskeyQuestion | null> {
  try {
    const response = await send('/passkey-options', {})
    return response.ok ? ((await response.json()) as PasskeyQuestion) : null
  } catch {
    return null
  }
}

/** Signs in the person whose passkey has signed the challenge. */
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

async function postWithCsrf(path: string, body: Record<string, unknown>): Promise<SignInOutcome> {
  try {
    const response = await fetch(`${AUTH_URL}/csrf`, { headers: { accept: 'application/json' } })
    const { csrfToken } = (await response.json()) as { csrfToken: string }
    return await post(path, { ...body, csrfToken })
  } catch {
    return UNREACHABLE
  }
}

async function post(path: string, body: Record<string, unknown>): Promise<SignInOutcome> {
  try {
    const response = await send(path, body)
    if (response.ok) return { ok: true }
    const { error } = (await response.json()) as { error?: string }
    return { ok: false, code: error ?? 'server_error' }
  } catch {
    return UNREACHABLE
  }
}

function send(path: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(AUTH_URL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
}
