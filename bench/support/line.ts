/** The line of requests that both servers support, from the pushed request to the revocation, step by step. */
import type { Agent } from '../../test/support/actors'
import type { Prepared } from './load'
import { type Parameters, signedForm } from './signed-form'

export const steps = ['par', 'authorize', 'token', 'refresh', 'introspect', 'revoke'] as const
export type Step = (typeof steps)[number]

/** The signed requests of one step, and the status that each must be answered with. */
export interface Batch {
  readonly step: Step
  readonly prepared: readonly Prepared[]
  readonly status: number
}

export interface Walker {
  readonly agent: Agent
  readonly purchase: { readonly form: Parameters & { readonly redirect_uri: string }; readonly verifier: string }
  readonly redirectStatus: number
  /** The cookies that a browser sends to the authorization endpoint. */
  readonly cookies: readonly string[]
  /** The kind of token that is introspected. */
  readonly introspected: 'access_token' | 'refresh_token'
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** Yields each step's batch, and receives the answers to its requests: the Location, or else the body. */
export async function* walk(walker: Walker, requests: number): AsyncGenerator<Batch, void, readonly string[]> {
  const { agent, purchase } = walker
  const forms = async (path: string, proof: boolean, make: (index: number) => Parameters) => {
    if (proof) await renewNonce(walker)
    return Promise.all(
      Array.from({ length: requests }, (_, index) => signedForm(agent, path, { parameters: make(index), proof })),
    )
  }
  const pushed = yield { step: 'par', status: 201, prepared: await forms('/oauth/par', true, () => purchase.form) }
  const located = yield { step: 'authorize', status: walker.redirectStatus, prepared: redirects(walker, pushed) }
  const codes = located.map(readCode)
  const granted = yield {
    step: 'token',
    status: 200,
    prepared: await forms('/oauth/token', true, (index) => ({
      grant_type: 'authorization_code',
      code: codes[index] ?? '',
      redirect_uri: purchase.form.redirect_uri,
      code_verifier: purchase.verifier,
    })),
  }
  const first = granted.map((text) => JSON.parse(text) as Tokens)
  const refreshed = yield {
    step: 'refresh',
    status: 200,
    prepared: await forms('/oauth/token', true, (index) => ({
      grant_type: 'refresh_token',
      refresh_token: first[index]?.refresh_token ?? '',
    })),
  }
  const newest = refreshed.map((text) => JSON.parse(text) as Tokens)
  const named = (kind: Walker['introspected']) => (index: number) => ({
    token: newest[index]?.[kind] ?? '',
    token_type_hint: kind,
  })
  const looked = yield {
    step: 'introspect',
    status: 200,
    prepared: await forms('/oauth/introspect', false, named(walker.introspected)),
  }
  for (const text of looked) requireActive(text)
  yield { step: 'revoke', status: 200, prepared: await forms('/oauth/revoke', false, named('refresh_token')) }
}

/**
 * Gets a new nonce for each step, since nonces expire after a minute or two. Some servers return one only for a
 * complete request.
 */
async function renewNonce({ agent, purchase }: Walker): Promise<void> {
  agent.forgetNonce()
  const { status, text } = await agent.push(purchase.form)
  if (status !== 201 && !text.includes('use_dpop_nonce')) throw new Error(`no nonce: ${status} ${text}`)
}

function redirects({ agent, cookies }: Walker, pushed: readonly string[]): Prepared[] {
  return pushed.map((text, index) => {
    const cookie = cookies[index]
    return { method: 'GET', path: authorizePath(agent, text), headers: cookie === undefined ? {} : { cookie } }
  })
}

/** Returns the authorization path of a pushed request, from the answer to it. */
export function authorizePath({ clientId }: Agent, pushed: string): string {
  const { request_uri: requestUri } = JSON.parse(pushed) as { request_uri: string }
  return `/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri })}`
}

export function readCode(location: string): string {
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${location}`)
  return code
}

export function requireActive(text: string): void {
  if ((JSON.parse(text) as { active: boolean }).active !== true) throw new Error(`not active: ${text}`)
}
