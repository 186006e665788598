import type * as z from 'zod'
import type { ActorOf, Call, KeyActor } from '../core/call'
import type { ErrorCode } from '../core/errors'
import type { SwitchName } from '../core/platform'
import type { Reply } from './reply'
import type { Scope } from './scopes'

/** Who may call. The kit authenticates accordingly and hands the verb the matching actor. */
export type Access =
  | { readonly actor: 'anonymous' }
  | {
      readonly actor: 'client'
      readonly kind: 'agent' | 'wallet' | 'any'
      /** `mint`: a proof with a server nonce is required and every answer carries `DPoP-Nonce` (RFC 9449 section 8). */
      readonly dpop: 'mint' | 'none'
      /** Where the assertion travels. */
      readonly credentials: 'body' | 'headers' | 'authorization'
      /** `client_assertion_type` may be left out of the body: the interface does not name it there. */
      readonly assertionType?: 'optional'
      /** `verb`: the verb writes the replay keys and checks liveness in its own statement; `kit`: done before the verb runs. */
      readonly consumes: 'kit' | 'verb'
      /** A body with this `grant_type` needs the proof alone: the actor is then a `KeyActor`, whatever client it names. */
      readonly anonymousGrant?: string
    }
  | { readonly actor: 'wallet'; readonly scope: Scope | null }
  | { readonly actor: 'agent'; readonly scope: Scope }
  | { readonly actor: 'operator' }
  /** The operator token or a wallet client's assertion in headers; an open sandbox takes anybody without either. */
  | { readonly actor: 'backend' /** A wallet client is answered 403. */; readonly operatorOnly?: true }

export type Body =
  | {
      readonly kind: 'json'
      readonly schema: z.ZodType
      readonly maxBytes?: number
      /** An empty body counts as an empty object. */
      readonly optional?: boolean
      /** Hands the verb the SHA-256 of the body's bytes as `bodyDigest`. */
      readonly digest?: boolean
      /** The code for a body that is no JSON object; by default 400 invalid_request, and 415 for another media type. */
      readonly malformed?: ErrorCode
      /** The same members may come as a form, where empty values count as values. */
      readonly orForm?: boolean
    }
  | {
      readonly kind: 'form'
      readonly schema: z.ZodType
      readonly maxBytes?: number
      /** The code for another media type; by default 400 invalid_request. */
      readonly otherType?: ErrorCode
      readonly repeatable?: readonly string[]
      /** Hands the verb the SHA-256 of the body's bytes as `bodyDigest`. */
      readonly digest?: boolean
    }
  | { readonly kind: 'raw'; readonly maxBytes: number }

/** How many requests one caller may send in a time. */
export interface Quota {
  readonly limit: number
  /** The setting whose value takes the place of the limit. */
  readonly setting?: 'registrationsPerMinute'
  readonly windowSeconds: number
  /** Holds in every window of this length, not only in those that begin with a caller's first request. */
  readonly sliding?: boolean
}

/** What one operation promises: validation, authentication, switches, OpenAPI and tRPC all read this. */
export interface EndpointShape {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments in braces are parameters; each is percent-decoded once. */
  readonly path: `/${string}`
  readonly summary: string
  readonly tag: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodType
  /** Names of the query that may come more than once, which arrive as lists; any other doubled name is a 422 then. */
  readonly repeatable?: readonly string[]
  /** Names of request headers that the verb reads, lower case. */
  readonly headers?: readonly string[]
  readonly body?: Body
  readonly output: z.ZodType
  readonly status?: number
  /** Other statuses that `output` is answered with, and what each says. */
  readonly otherStatuses?: Readonly<Record<number, string>>
  /** Success is a redirect (302); `or-202` when it can also be that somebody has to act first, told by `output`. */
  readonly redirects?: 'always' | 'or-202'
  /** Media types of the success answer when it is not JSON. */
  readonly produces?: string | readonly string[]
  readonly switch?: SwitchName
  /** Which words say that a parameter is bad: OAuth's 400, the 422 list, or that list with OAuth's members beside it. */
  readonly refusal: 'oauth' | 'validation' | 'oauth-validation'
  /** Codes that the operation can answer besides those that its access, body and switch imply. */
  readonly refusals?: readonly ErrorCode[]
  /** The status of codes that travel with another than their usual one here. */
  readonly statusOf?: Readonly<Partial<Record<ErrorCode, number>>>
  /** Counted for this operation alone, per client, person or, for anonymous callers, address. */
  readonly quota?: Quota
  /** GET uses something up, so HEAD is refused. */
  readonly consuming?: boolean
  /** Exists only where the sandbox does. */
  readonly sandboxOnly?: boolean
  /** An anonymous operation that needs the operator token where strangers may play in the sandbox. */
  readonly guardedInPublic?: boolean
}

type Known<T> = T extends z.ZodType ? z.output<T> : unknown
type DigestInput<B> = B extends { readonly digest: true } ? { readonly bodyDigest: string } : unknown
type BodyInput<B> = B extends { readonly schema: infer S }
  ? Known<S> & DigestInput<B>
  : B extends { readonly kind: 'raw' }
    ? { readonly rawBody: Buffer }
    : unknown
type HeaderInput<H> = H extends readonly (infer N extends string)[]
  ? { readonly headers: { readonly [K in N]: string | undefined } }
  : unknown

type Part<E, K extends string> = E extends { readonly [P in K]: infer V } ? V : undefined

/** What the verb receives: parameters, query, body and headers in one object. */
export type InputOf<E extends EndpointShape> = Known<Part<E, 'params'>> &
  Known<Part<E, 'query'>> &
  BodyInput<Part<E, 'body'>> &
  HeaderInput<Part<E, 'headers'>>
type KeyActorOf<A> = A extends { readonly anonymousGrant: string } ? KeyActor : never
export type CallOf<E extends EndpointShape> = Call<ActorOf<E['access']['actor']> | KeyActorOf<E['access']>>
export type ResultOf<E extends EndpointShape> = z.input<E['output']> | Reply
export type OutputOf<E extends EndpointShape> = z.output<E['output']>

/** A function that does what the endpoint promises. */
export type VerbOf<E extends EndpointShape> = (call: CallOf<E>, input: InputOf<E>) => Promise<ResultOf<E>>

/** An endpoint joined with the verb that does the work. Both HTTP lanes, tRPC and OpenAPI take operations. */
export interface Operation<E extends EndpointShape = EndpointShape, V = VerbOf<E>> {
  readonly endpoint: E
  /** With its own types, which may take and tell more than the endpoint does. */
  readonly verb: V
}

const joined = Symbol('operation')

/** An operation whose types have been checked and then forgotten, for tables. */
export interface AnyOperation {
  readonly endpoint: EndpointShape
  readonly verb: (call: never, input: never) => Promise<unknown>
}

export function defineEndpoint<const E extends EndpointShape>(endpoint: E): E {
  return endpoint
}

/** Joins a contract and its verb; the compiler checks that they fit. */
export function operation<E extends EndpointShape, V extends VerbOf<E>>(endpoint: E, verb: V): Operation<E, V> {
  const members = { endpoint, verb, [joined]: true }
  return members
}

/** The operations among a module's exports. */
export function operationsOf(module: Readonly<Record<string, unknown>>): AnyOperation[] {
  return Object.values(module).filter(
    (value): value is AnyOperation => typeof value === 'object' && value !== null && joined in value,
  )
}
