import type { ClientJwk, PublicJwk } from '../protocol/jwk'
import type { Authentication } from './authentication'
import type { Platform, Queryable } from './platform'

/**
 * An OAuth client as registered. Registrations never change, so this may be cached; whether the client is active must
 * be read from the database.
 */
export interface Client {
  readonly id: string
  readonly kind: 'agent' | 'wallet'
  /** The wallet client to which this client belongs; a wallet client is its own tenant. */
  readonly tenantId: string
  /** The agent's person; null for wallet clients. */
  readonly principalId: string | null
  readonly name: string
  readonly purpose: string | null
  readonly redirectUris: readonly string[]
  readonly grantTypes: readonly string[]
  readonly scope: readonly string[]
  readonly jwks: readonly ClientJwk[]
}

/** An identifier that may be used once: the `jti` of a proof or assertion, hashed together with its owner. */
export interface ReplayKey {
  readonly kind: 'assertion' | 'dpop'
  readonly key: string
  readonly expiresAt: Date
}

export interface ClientActor {
  readonly kind: 'client'
  readonly client: Client
  /** Thumbprint and JWK of the DPoP key; null where the endpoint takes no proof. */
  readonly dpop: { readonly jkt: string; readonly jwk: PublicJwk } | null
  /** Single-use identifiers that a verb with `consumes: 'verb'` writes in its own statement. */
  readonly replayKeys: readonly ReplayKey[]
}

/** A caller of a token endpoint without a client, known by its DPoP key alone. */
export interface KeyActor {
  readonly kind: 'key'
  readonly jkt: string
  /** Single-use identifiers that the verb writes in its own statement. */
  readonly replayKeys: readonly ReplayKey[]
}

/** The portal's session that a person acts in. */
export interface ActorSession {
  readonly id: string
  /** How the person signed in. */
  readonly method: 'magic_link' | 'passkey' | 'demo'
  readonly authenticatedAt: Date
}

/** The wallet token that a caller holds, with how and when the person confirmed the access. */
export interface HeldToken extends Authentication {
  /** The agent that holds it; null for a sandbox session of the person's own, which the operator opened. */
  readonly agentClientId: string | null
  /** Whether the agent is also registered for payments. */
  readonly mayPay: boolean
  /** Returns whether the token has not been revoked meanwhile. */
  readonly isActive: (db: Queryable) => Promise<boolean>
}

export type WalletActor = {
  readonly kind: 'wallet'
  readonly principalId: string
  readonly tenantId: string
  /** The portal session; null for a wallet token, and where the service itself acts for a person. */
  readonly session: ActorSession | null
} & ({ readonly via: 'portal' } | { readonly via: 'token'; readonly token: HeldToken })

export interface AgentActor {
  readonly kind: 'agent'
  readonly clientId: string
  readonly principalId: string
  readonly tenantId: string
  readonly familyId: string
  readonly jkt: string
  readonly audience: readonly string[]
  readonly scope: readonly string[]
}

export interface AnonymousActor {
  readonly kind: 'anonymous'
}

export interface OperatorActor {
  readonly kind: 'operator'
}

/** A server that works for the operator or for a tenant. */
export interface BackendActor {
  readonly kind: 'backend'
  /** The wallet client that sent its assertion; null for the operator, and for a caller without a credential. */
  readonly client: Client | null
  /** Whether the caller sent no credential, as an open sandbox allows. */
  readonly isUnidentified: boolean
  readonly replayKeys: readonly ReplayKey[]
}

export type Actor = AnonymousActor | ClientActor | KeyActor | WalletActor | AgentActor | OperatorActor | BackendActor
export type ActorOf<K extends Actor['kind']> = Extract<Actor, { kind: K }>

/** One request, over HTTP or tRPC, whose access has been checked. Verbs take a Call and an input, nothing else. */
export interface Call<A extends Actor = Actor> {
  readonly actor: A
  readonly platform: Platform
  readonly requestId: string
  /** The time of the request, read once. */
  readonly now: Date
}
export type AnonymousCall = Call<AnonymousActor>
export type ClientCall = Call<ClientActor>
export type KeyCall = Call<KeyActor>
export type WalletCall = Call<WalletActor>
export type AgentCall = Call<AgentActor>
export type OperatorCall = Call<OperatorActor>
export type BackendCall = Call<BackendActor>
