import { CountersignClient } from './client/index.js'
import { toIssuer } from './client/issuer.js'
import type { RegisterRequest } from './client/register.js'
import type { RegistrationReply } from './client/wire.js'
import { CountersignError, TransportFailure } from './errors.js'
import { isLoopbackUrl, requireAllowedUrl } from './http/address-guard.js'
import type { Settings } from './settings.js'
import { firstOf, type Registration, type RegistrationKind, RegistrationStore } from './state/registration-store.js'

/** What to register, and as what. */
export interface RegistrationOrder {
  readonly request: RegisterRequest
  /** For paying unless said otherwise. */
  readonly kind?: RegistrationKind
  readonly signal?: AbortSignal | undefined
}

/** What was made, and what the server said of it. */
export interface MadeRegistration {
  readonly registration: Registration
  readonly reply: RegistrationReply
}

/** A registration of this kind exists at this server. It is never replaced: only a person may give it up. */
export class AlreadyRegistered extends CountersignError {
  override readonly name = 'AlreadyRegistered'
  /** Where the registration and its keys are. */
  readonly directory: string

  constructor(store: RegistrationStore, issuer: string) {
    super(
      'already registered',
      `To register again the user deletes ${store.file(issuer)} first. The earlier agent stays in their wallet until they revoke it there.`,
    )
    this.directory = store.directory(issuer)
  }
}

/**
 * Registers the agent and keeps what comes back. Keys that exist already are used again, so that a registration whose
 * answer was lost can be repeated.
 * @throws {AlreadyRegistered} before anything is sent
 */
export function registerAgent(home: string, asUrl: string, order: RegistrationOrder): Promise<MadeRegistration> {
  const { request, kind = 'agent', signal = new AbortController().signal } = order
  const store = new RegistrationStore(home, kind)
  const issuer = toIssuer(asUrl)
  const register = async (): Promise<MadeRegistration> => {
    if ((await store.find(issuer)) !== null) throw new AlreadyRegistered(store, issuer)
    const client = new CountersignClient({ asUrl: issuer, ...(await store.ensureKeys(issuer)) })
    const reply = await client.register(request, signal)
    if (kind === 'wallet' && reply.principal_id === undefined)
      throw new TransportFailure('the answer names no principal')
    const registration = toRegistration(issuer, request, reply)
    if (!(await store.save(registration))) throw new AlreadyRegistered(store, issuer)
    return { registration, reply }
  }
  return store.exclusively(issuer, register, signal)
}

function toRegistration(issuer: string, request: RegisterRequest, reply: RegistrationReply): Registration {
  return {
    issuer,
    client_id: reply.client_id,
    principal_id: reply.principal_id,
    registration_access_token: reply.registration_access_token,
    redirect_uris: [...request.redirectUris],
    client_name: request.clientName,
    scope: reply.scope,
    registered_at: new Date().toISOString(),
  }
}

/** The one server in use: `COUNTERSIGN_AS_URL` when that is set, else that of the first registration; null before any. */
export async function pinnedIssuer(settings: Settings): Promise<string | null> {
  if (settings.asUrl !== undefined) return toIssuer(settings.asUrl)
  const { home } = settings
  const all = [await new RegistrationStore(home).first(), await new RegistrationStore(home, 'wallet').first()]
  return firstOf(all)?.issuer ?? null
}

/** The registration in use for paying, or of the kind asked for; null when there is none at the server in use. */
export async function currentRegistration(
  settings: Settings,
  kind: RegistrationKind = 'agent',
): Promise<Registration | null> {
  const issuer = await pinnedIssuer(settings)
  return issuer === null ? null : new RegistrationStore(settings.home, kind).find(issuer)
}

/** A client for the registration in use. */
export async function openClient(settings: Settings): Promise<CountersignClient> {
  const registration = await currentRegistration(settings)
  if (registration === null) throw notRegistered()
  const keys = await new RegistrationStore(settings.home).readKeys(registration.issuer)
  return new CountersignClient({ asUrl: registration.issuer, clientId: registration.client_id, ...keys })
}

/** There is no registration that could be used. */
export const notRegistered = () =>
  new CountersignError(
    'agent not registered yet',
    'Ask the user for a setup token from their wallet, then run `countersign-tools register` or call agent_register.',
  )

/**
 * Refuses to let a model move the agent to another authorization server than the one in use, which a person has chosen.
 * Before there is one, a model's choice is checked like any other address that it gives.
 */
export async function requirePinnedServer(settings: Settings, asUrl: string): Promise<void> {
  const pinned = await pinnedIssuer(settings)
  if (pinned === null) requireAllowedUrl(asUrl, isLoopbackUrl(asUrl))
  if (pinned === null || pinned === toIssuer(asUrl)) return
  throw new CountersignError(
    'as_url is not the authorization server of this agent',
    `The one in use is ${pinned}. To use another one, the user sets COUNTERSIGN_AS_URL or another COUNTERSIGN_HOME.`,
  )
}
