import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { type Agent, clientForm } from '../../test/support/actors'
import type { Prepared } from './load'

export type Parameters = Readonly<Record<string, string | readonly string[]>>

/** The lifetime of an assertion in seconds, longer than any step takes from its first signature to its last request. */
const ASSERTION_SECONDS = 290

interface SignedForm {
  readonly parameters: Parameters
  /** Whether the endpoint issues tokens, which requires a proof. */
  readonly proof: boolean
  /** The nonce for the proof, instead of the newest one that the agent received. */
  readonly nonce?: string | undefined
}

/** Returns a form request with a client assertion and, where tokens are issued, a DPoP proof, ready to be sent. */
export async function signedForm(
  agent: Agent,
  path: string,
  { parameters, proof, nonce }: SignedForm,
): Promise<Prepared> {
  const assertion = await agent.assertion({ exp: Math.floor(Date.now() / 1000) + ASSERTION_SECONDS })
  const body = await clientForm(agent.target, agent, { client_assertion: assertion, ...parameters })
  const own = nonce === undefined ? {} : { nonce }
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    ...(proof ? { dpop: await agent.proof('POST', agent.target.baseUrl + path, own) } : {}),
  }
  return { method: 'POST', path, headers, body }
}

/** Returns the request that settles a mandate, with the token that was issued with it and a proof. */
export async function settleRequest(
  agent: Agent,
  granted: { readonly access_token: string; readonly mandate_jwt: string },
  key: string,
): Promise<Prepared> {
  const { access_token: token, mandate_jwt: mandate } = granted
  const body = JSON.stringify({ mandate, idempotency_key: key })
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    authorization: `DPoP ${token}`,
    dpop: await agent.proof('POST', `${agent.target.baseUrl}/settlement/settle`, {
      nonce: undefined,
      accessToken: token,
    }),
  }
  return { method: 'POST', path: '/settlement/settle', headers, body }
}

/** Returns the request that presents a mandate to the sandbox's verifier, with a key binding for one of its nonces. */
export async function presentationRequest(
  agent: Agent,
  path: string,
  { mandate, nonce, audience, items }: Presented,
): Promise<Prepared> {
  const keyBinding = await new SignJWT({
    aud: audience,
    nonce,
    sd_hash: createHash('sha256').update(mandate).digest('base64url'),
    jti: randomUUID(),
  })
    .setIssuedAt()
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kb+jwt' })
    .sign(agent.dpopKey.privateKey)
  const body = JSON.stringify({ presentation: mandate + keyBinding, line_items: items })
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return { method: 'POST', path, headers, body }
}

interface Presented {
  /** The mandate, as the token endpoint issued it. */
  readonly mandate: string
  readonly nonce: string
  /** The merchant's address. */
  readonly audience: string
  readonly items: readonly object[]
}
