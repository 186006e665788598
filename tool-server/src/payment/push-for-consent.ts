import { createHash, randomBytes } from 'node:crypto'
import type { CountersignClient, PushedRequest } from '../client/index.js'

/** The `expires_in` of a request for which no person must decide. */
const UNATTENDED_EXPIRES_IN_SECONDS = 60

interface Asker {
  readonly client: CountersignClient
  readonly host: { readonly signal: AbortSignal }
}

/** Pushes a request with a state and a verifier of its own (RFC 7636); returns the data with which it is redeemed. */
export async function pushForConsent({ client, host }: Asker, request: Omit<PushedRequest, 'codeChallenge' | 'state'>) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const pushed = await client.pushAuthorizationRequest({ ...request, codeChallenge, state }, host.signal)
  return {
    request_uri: pushed.request_uri,
    code_verifier: codeVerifier,
    state,
    needs_person: pushed.expires_in > UNATTENDED_EXPIRES_IN_SECONDS,
    /** Milliseconds since the epoch. */
    expires_at: Date.now() + pushed.expires_in * 1000,
  }
}
