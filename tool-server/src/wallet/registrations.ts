import { CountersignClient } from '../client/index.js'
import { Session } from '../client/session.js'
import type { WalletAccess } from '../client/wallet-access.js'
import { importKey, type SigningKey } from '../crypto/keys.js'
import { CountersignError } from '../errors.js'
import { isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound } from '../http/outbound.js'
import { currentRegistration, notRegistered } from '../registration.js'
import type { Settings } from '../settings.js'
import { type AgentKeys, type Registration, RegistrationStore } from '../state/registration-store.js'
import type { WalletScope } from './access-words.js'

/** A registration with its keys. */
export interface OpenRegistration {
  readonly registration: Registration
  readonly keys: AgentKeys
}

/** Returns the registrations at the server in use, the one for wallets first; throws when there is none. */
export async function openRegistrations(settings: Settings): Promise<readonly OpenRegistration[]> {
  const open: OpenRegistration[] = []
  for (const kind of ['wallet', 'agent'] as const) {
    const registration = await currentRegistration(settings, kind)
    if (registration === null) continue
    open.push({
      registration,
      keys: await new RegistrationStore(settings.home, kind).readKeys(registration.issuer),
    })
  }
  if (open.length === 0) throw notRegistered()
  return open
}

/** Returns the registration that may request the scope; throws before anything is sent when there is none. */
export async function registrationFor(settings: Settings, scope: WalletScope): Promise<OpenRegistration> {
  const open = await openRegistrations(settings)
  const found = open.find(({ registration }) => registration.scope?.split(' ').includes(scope))
  if (found === undefined) throw scopeError(scope)
  return found
}

/** Returns the error for a scope that was not granted. */
export const scopeError = (scope: WalletScope) =>
  new CountersignError(
    `insufficient_scope (need ${scope})`,
    `No registration here holds it. agent_wallet_register takes a scope, and a setup token that allows it; the user first deletes a wallet registration that exists.`,
  )

/** Returns the client of a registration. */
export const clientOf = ({ registration, keys }: OpenRegistration): CountersignClient =>
  new CountersignClient({ asUrl: registration.issuer, clientId: registration.client_id, ...keys })

/** A token of the person, and the session through which it is sent. */
export interface OpenAccess extends WalletAccess {
  readonly session: Session
}

/**
 * Returns access with a token and a registration; requests carry a proof when the token is bound to the registration's
 * key.
 */
export function toAccess({ registration, keys }: OpenRegistration, accessToken: string): OpenAccess {
  const { issuer } = registration
  const send = createOutbound({ allowLoopback: isLoopbackUrl(issuer), ownServer: issuer })
  const [dpopKey, assertionKey] = [importKey(keys.dpopKey), importKey(keys.assertionKey)]
  return { session: new Session({ issuer, dpopKey, assertionKey, send }), accessToken }
}

/** Returns the key that a registration's tokens are bound to. */
export const dpopKeyOf = ({ keys }: OpenRegistration): SigningKey => importKey(keys.dpopKey)
