const AUTH_URL = '/api/auth'

/** What came of a sign-in step; `message` is for the person. */
export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly message: string }

const UNREACHABLE: SignInOutcome = { ok: false, message: 'The server could not be reached. Try again.' }

/** Asks for a sign-in link. The answer is the same whether or not somebody has that address. */
export function requestSignInLink(email: string): Promise<SignInOutcome> {
  return post('/sign-in-link', { email })
}

/** Uses the token of a sign-in link. Call it when the person presses the button, never when the page opens. */
export function confirmSignIn(token: string): Promise<SignInOutcome> {
  return postWithCsrf('/callback/magic-link', { token })
}

/** Signs in as the sandbox's demo person. */
export function signInAsDemo(): Promise<SignInOutcome> {
  return postWithCsrf('/callback/demo', {})
}

/** Ends this session. */
export function signOut(): Promise<SignInOutcome> {
  return postWithCsrf('/signout', {})
}

async function postWithCsrf(path: string, body: Record<string, string>): Promise<SignInOutcome> {
  try {
    const response = await fetch(`${AUTH_URL}/csrf`, { headers: { accept: 'application/json' } })
    const { csrfToken } = (await response.json()) as { csrfToken: string }
    return await post(path, { ...body, csrfToken })
  } catch {
    return UNREACHABLE
  }
}

async function post(path: string, body: Record<string, string>): Promise<SignInOutcome> {
  try {
    const response = await fetch(AUTH_URL + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.ok) return { ok: true }
    const { error_description: message } = (await response.json()) as { error_description?: string }
    return { ok: false, message: message ?? 'That did not work. Try again.' }
  } catch {
    return UNREACHABLE
  }
}
