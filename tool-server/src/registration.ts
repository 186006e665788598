import { CountersignClient } from './client/index.js'
import { toIssuer } from './client/issuer.js'
import type { RegisterRequest } from './client/register.js'
import { CountersignError } from './errors.js'
import type { Settings } from './settings.js'
import { type Registration, RegistrationStore } from './state/registration-store.js'

/** Registers the agent and keeps what comes back. Keys that exist already are used again. */
export async function registerAgent(
  home: string,
  asUrl: string,
  call: { readonly request: RegisterRequest; readonly signal?: AbortSignal | undefined },
): Promise<Registration> {
  const store = new RegistrationStore(home)
  const issuer = toIssuer(asUrl)
  const client = new CountersignClient({ asUrl: issuer, ...(await store.ensureKeys(issuer)) })
  const reply = await client.register(call.request, call.signal)
  const registration: Registration = {
    issuer,
    client_id: reply.client_id,
    principal_id: reply.principal_id,
    registration_access_token: reply.registration_access_token,
    redirect_uris: [...call.request.redirectUris],
    client_name: call.request.clientName,
    scope: reply.scope,
    registered_at: new Date().toISOString(),
  }
  await store.save(registration)
  return registration
}

/** The registration in use: at `COUNTERSIGN_AS_URL` when that is set, else the one made last. */
export async function currentRegistration(settings: Settings): Promise<Registration | null> {
  const store = new RegistrationStore(settings.home)
  return settings.asUrl === undefined ? store.newest() : store.find(toIssuer(settings.asUrl))
}

/** A client for the registration in use. */
export async function openClient(settings: Settings): Promise<CountersignClient> {
  const registration = await currentRegistration(settings)
  if (registration === null) {
    throw new CountersignError(
      'agent not registered yet',
      'Ask the user for a setup token from their wallet, then run `countersign-tools register` or call agent_register.',
    )
  }
  const keys = await new RegistrationStore(settings.home).readKeys(registration.issuer)
  return new CountersignClient({ asUrl: registration.issuer, clientId: registration.client_id, ...keys })
}

/**
 * Refuses to let a model move the agent to another authorization server than the one a person has chosen, by
 * `COUNTERSIGN_AS_URL` or by an earlier registration.
 */
export async function checkPinnedServer(settings: Settings, asUrl: string): Promise<void> {
  const current = await currentRegistration(settings)
  const pinned = settings.asUrl === undefined ? current?.issuer : toIssuer(settings.asUrl)
  if (pinned !== undefined && pinned !== toIssuer(asUrl)) {
    throw new CountersignError(
      'as_url is not the authorization server of this agent',
      'To use another one, the user runs `countersign-tools register --as-url <url>` or sets COUNTERSIGN_AS_URL.',
    )
  }
}
