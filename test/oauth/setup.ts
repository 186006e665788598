import { afterAll, beforeAll } from 'vitest'
import {
  Agent,
  newKey,
  newPrincipal,
  Person,
  type PrincipalOptions,
  REDIRECT_URI,
  type Target,
  type TokenAnswer,
} from '../support/actors'
import { type App, startApp } from '../support/app'

export type Form = Readonly<Record<string, string | readonly string[] | undefined>>

/** Starts the service before the tests of a file or a block, lets `prepare` add to it, and closes it after them. */
export function withApp(prepare: (app: App) => unknown, env: Readonly<Record<string, string>> = {}): void {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env })
    await prepare(app)
  })
  afterAll(() => app.close())
}

interface ReadyAgentOptions extends PrincipalOptions {
  readonly metadata?: Record<string, unknown>
}

/** A registered agent of a new person who approves nothing below their limits, so that its purchases need no approval. */
export async function readyAgent(target: Target, { metadata = {}, ...options }: ReadyAgentOptions = {}) {
  const { principalId } = await newPrincipal(target, { approval_rule: 'above_limits', ...options })
  return Agent.register(target, principalId, metadata)
}

/** The same client with another DPoP key. */
export async function withOtherKey({ target, clientId, key, principalId }: Agent): Promise<Agent> {
  return new Agent(target, clientId, key, await newKey(), principalId)
}

/** The code of wallet access that the person has approved; `more` changes the pushed request. */
export async function walletCode(agent: Agent, scope: string, more: Form = {}) {
  const { form, verifier } = await agent.walletAccess(scope)
  const pushed = await agent.push({ ...form, ...more })
  const person = await Person.signIn(agent.target, agent.principalId)
  for (const { authorization_id: id } of await person.pending()) await person.decide(id, 'approve')
  const { result } = await agent.authorize(pushed.json.request_uri)
  return { code: result['code'] ?? '', verifier, result }
}

/** The tokens of wallet access that the person has approved. */
export async function walletTokens(agent: Agent, scope: string): Promise<TokenAnswer> {
  const { code, verifier } = await walletCode(agent, scope)
  return (await agent.redeem(code, verifier)).json
}

/** A redemption that can be sent again under its Idempotency-Key, byte for byte but for a fresh proof. */
export async function repeatableRedemption(agent: Agent) {
  const { code, verifier } = await agent.code()
  const form = {
    client_assertion: await agent.assertion(),
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  }
  return (key: string, more: Form = {}, headers: Record<string, string> = {}) =>
    agent.mint<TokenAnswer>('/oauth/token', { ...form, ...more }, { 'idempotency-key': key, ...headers })
}
