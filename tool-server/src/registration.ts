import { CountersignClient } from './client/index.js'
import { toIssuer } from './client/issuer.js'
import type { RegisterRequest } from './client/register.js'
import type { RegistrationReply } from './client/wire.js'
import { CountersignError, TransportFailure } from './errors.js'
import { isLoopbackUrl, requireAllowedUrl } from './http/address-guard.js'
import type { Settings } from './settings.js'
import { firstOf, type Registration, type RegistrationKind, RegistrationStore } from './state/registration-store.js'

/** The request to register, and the kind of registration. */
export interface RegistrationOrder {
  readonly request: RegisterRequest
  /** The kind; `agent` by default. */
  readonly kind?: RegistrationKind
  readonly signal?: AbortSignal | undefined
}

/** The new registration, and the server's response. */
export interface MadeRegistration {
  readonly registration: Registration
  readonly reply: RegistrationReply
}

/** The server already has a registration of this kind, which is never replaced: only a person may delete it. */
export class AlreadyRegistered extends CountersignError {
  override readonly name = 'AlreadyRegistered'
  /** The directory of the registration and its keys. */
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
 * Registers the agent and stores the result. Existing keys are reused, so that a registration whose response was lost
 * can be repeated.
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

/**
 * Returns the authorization server in use: `COUNTERSIGN_AS_URL` when it is set, otherwise that of the first
 * registration; null before any.
 */
export async function pinnedIssuer(settings: Settings): Promise<string | null> {
  if (settings.asUrl !== undefined) return toIssuer(settings.asUrl)
  const { home } = settings
  const all = [await new RegistrationStore(home).first(), await new RegistrationStore(home, 'wallet').first()]
  return firstOf(all)?.issuer ?? null
}

/** Returns the registration of this kind at the server in use; null when there is none. */
export async function currentRegistration(
  settings: Settings,
  kind: RegistrationKind = 'agent',
): Promise<Registration | null> {
  const issuer = await pinnedIssuer(settings)
  return issuer === null ? null : new RegistrationStore(settings.home, kind).find(issuer)
}

/** Returns a client for the registration in use. */
export async function openClient(settings: Settings): Promise<CountersignClient> {
  const registration = await currentRegistration(settings)
  if (registration === null) throw notRegistered()
  const keys = await new RegistrationStore(settings.home).readKeys(registration.issuer)
  return new CountersignClient({ asUrl: registration.issuer, clientId: registration.client_id, ...keys })
}

/** Returns the error for a missing registration. */
export const notRegistered = () =>
  new CountersignError(
    'agent not registered yet',
    'Ask the user for a setup token from their wallet, then run `countersign-tools register` or call agent_register.',
  )

/**
 * Throws when a model names another authorization server than the one in use, which a person has chosen. Before one is
 * in use, the model's address is checked like any other that it gives.
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
