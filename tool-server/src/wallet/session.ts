import type { TokenReply, TokenRequest } from '../client/index.js'
import { tokenRequestEnd } from '../client/token.js'
import { CountersignError, Refusal } from '../errors.js'
import { EXPIRY_MARGIN_SECONDS, UNSETTLED_KEEP_MS } from '../limits.js'
import type { Host } from '../payment/host.js'
import { atStep } from '../payment/steps.js'
import type { Settings } from '../settings.js'
import { RedirectStore } from '../state/redirect-store.js'
import { type SessionAt, type SessionSlot, SessionStore, sessionKey } from '../state/session-store.js'
import { requestAccess, undecidedError } from './access.js'
import { type AccessRequest, type AccessRun, accessDeadline } from './access-run.js'
import type { WalletScope } from './access-words.js'
import { clientOf, type OpenAccess, registrationFor, toAccess } from './registrations.js'

/** A call of a tool that needs access to the person's wallet. */
export interface SessionCall {
  readonly settings: Settings
  readonly host: Host
  readonly scope: WalletScope
}

/** The resource and the redirect URI of a session request; by default the server itself and the first redirect URI. */
interface Way {
  readonly resource: string
  readonly redirectUri: string
}

type OpenSession = SessionAt<'open'>

/** Returns access for this call only: the person approves it unless they have before. Its tokens are not stored. */
export async function openOnce(call: SessionCall, way: Way): Promise<OpenAccess> {
  const registered = await registrationFor(call.settings, call.scope)
  const request = { client: clientOf(registered), scope: call.scope, ...way }
  const tokens = await withSlot(call, request, requestAccess)
  return toAccess(registered, tokens.access_token)
}

/**
 * Returns stored access: the session of this home for the scope. It is renewed as long as the server allows it, and
 * requested again when it has ended. With `refusedToken`, the session whose token the server has just refused is
 * replaced.
 */
export async function openDefaultSession(call: SessionCall, refusedToken?: string): Promise<OpenAccess> {
  const registered = await registrationFor(call.settings, call.scope)
  const { issuer, redirect_uris: redirectUris } = registered.registration
  const [redirectUri = ''] = redirectUris
  const request = { client: clientOf(registered), scope: call.scope, resource: issuer, redirectUri }
  const token = await withSlot(call, request, (run) => readToken(run, refusedToken))
  return toAccess(registered, token)
}

async function withSlot<T>(
  { settings, host }: SessionCall,
  request: AccessRequest,
  work: (run: AccessRun) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now()
  const deadline = accessDeadline(host, startedAt)
  const store = new SessionStore(settings.home)
  await store.sweep(startedAt)
  const key = keyOf(request)
  const slot = await store.take(key, { signal: host.signal, until: deadline })
  if (slot === null) throw await describeOtherCall(store, key, request)
  try {
    return await work({ ...request, host, slot, redirects: new RedirectStore(settings.home), deadline })
  } finally {
    await slot.release()
  }
}

/** Returns the error when another call has been asking the person all the time. */
async function describeOtherCall(store: SessionStore, key: string, request: AccessRequest): Promise<CountersignError> {
  const record = await store.peek(key)
  return record?.stage === 'requested'
    ? undecidedError(request, record)
    : new CountersignError('consent_required', 'Call again with the same arguments.')
}

const keyOf = ({ client, scope, resource, redirectUri }: AccessRequest): string =>
  sessionKey({ issuer: client.issuer, clientId: client.clientId, scope, resource, redirectUri })

async function readToken(run: AccessRun, refusedToken: string | undefined): Promise<string> {
  const kept = await findKept(run.slot, refusedToken)
  const isFresh = kept !== null && kept.access_expires_at - EXPIRY_MARGIN_SECONDS * 1000 > Date.now()
  if (kept !== null && isFresh) return kept.access_token
  const renewed = kept?.refresh_token === undefined ? null : await renew(run, kept, kept.refresh_token)
  return keep(run.slot, renewed ?? (await requestAccess(run)), renewed === null ? null : kept)
}

/** Returns the stored session, unless the server has just refused its token. */
async function findKept(slot: SessionSlot, refusedToken: string | undefined): Promise<OpenSession | null> {
  const record = await slot.read()
  if (record?.stage !== 'open') return null
  if (record.access_token !== refusedToken) return record
  await slot.remove()
  return null
}

/** Returns fresh tokens, or null when the session has ended at the server. */
async function renew(run: AccessRun, kept: OpenSession, refreshToken: string): Promise<TokenReply | null> {
  const { client, host, slot } = run
  try {
    const request = await keepRenewal(run, kept, refreshToken)
    return await atStep('token', client.requestTokens(request, host.signal))
  } catch (error) {
    if (!(error instanceof Refusal) || error.isTransient) throw error
    await slot.remove()
    return null
  }
}

/**
 * Returns the request that renews the session. It is stored before it is sent, so that it can be repeated if its
 * response is lost.
 */
async function keepRenewal(
  { client, slot }: AccessRun,
  kept: OpenSession,
  refreshToken: string,
): Promise<TokenRequest> {
  if (kept.renewal !== undefined && Date.now() < tokenRequestEnd(kept.renewal)) return kept.renewal
  const renewal = await client.prepareRefresh(refreshToken)
  await slot.write({ ...kept, renewal })
  return renewal
}

async function keep(slot: SessionSlot, tokens: TokenReply, before: OpenSession | null): Promise<string> {
  const now = Date.now()
  await slot.write({
    stage: 'open',
    access_token: tokens.access_token,
    access_expires_at: now + tokens.expires_in * 1000,
    refresh_token: tokens.refresh_token,
    // A session ends with the token family of its first token, however often it is renewed.
    expires_at: before?.expires_at ?? now + UNSETTLED_KEEP_MS,
  })
  return tokens.access_token
}
