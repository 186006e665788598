import type * as z from 'zod'
import type { ActorOf, Call, KeyActor } from '../core/call'
import type { ErrorCode } from '../core/errors'
import type { SwitchName } from '../core/platform'
import type { Reply } from './reply'
import type { Scope } from './scopes'

/** Who may call the operation: decides how the caller is authenticated and which actor the verb receives. */
export type Access =
  | { readonly actor: 'anonymous' }
  | {
      readonly actor: 'client'
      readonly kind: 'agent' | 'wallet' | 'any'
      /** `mint`: a proof with a server nonce is required and every answer carries `DPoP-Nonce` (RFC 9449 section 8). */
      readonly dpop: 'mint' | 'none'
      /** The part of the request that holds the assertion. */
      readonly credentials: 'body' | 'headers' | 'authorization'
      /** `client_assertion_type` may be left out of the body. */
      readonly assertionType?: 'optional'
      /** `verb`: the verb stores the replay keys and checks that the client is active; `kit`: done before the verb. */
      readonly consumes: 'kit' | 'verb'
      /** The `grant_type` that needs only the proof: the actor is then a `KeyActor`, and a named client is ignored. */
      readonly anonymousGrant?: string
    }
  | { readonly actor: 'wallet'; readonly scope: Scope | null }
  | { readonly actor: 'agent'; readonly scope: Scope }
  /** The operator token; `alsoToken` names another one that opens the operation. */
  | { readonly actor: 'operator'; readonly alsoToken?: 'metrics' }
  /** The operator token or a wallet client's assertion in headers; a local sandbox without OPERATOR_TOKEN accepts any caller without them. */
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
      /**
       * The code for a body that is no JSON object, where no object is not a typed 422; by default 400 invalid_request,
       * and 415 for another media type.
       */
      readonly malformed?: ErrorCode
      /** The code for a missing body; by default that of `malformed`, and 422 where parameters are typed. */
      readonly missing?: ErrorCode
      /** The same members may also be sent as a form, where empty values count as values. */
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

/** Returns the code for a body of another media type, or in a content coding. */
export function otherTypeCode(body: Body): ErrorCode {
  if (body.kind === 'form') return body.otherType ?? 'invalid_request'
  return (body.kind === 'json' ? body.malformed : undefined) ?? 'unsupported_media_type'
}

/** A limit on the requests that one caller may send in a period. */
export interface Quota {
  readonly limit: number
  /** The setting whose value replaces the limit. */
  readonly setting?: 'registrationsPerMinute'
  readonly windowSeconds: number
  /** Whether the limit applies to every window of this length, not only to those that begin with a first request. */
  readonly sliding?: boolean
}

/** The contract of one operation, from which validation, authentication, switches, OpenAPI and tRPC are derived. */
export interface EndpointShape {
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Segments in braces are parameters; each is percent-decoded once. */
  readonly path: `/${string}`
  readonly summary: string
  readonly tag: string
  readonly access: Access
  readonly params?: z.ZodObject
  /** The verb answers 422 to a parameter of the path that is invalid, and not 404. */
  readonly validatesPath?: boolean
  readonly query?: z.ZodType
  /** Query parameters that may occur more than once and arrive as lists; any other repeated one is then a 422. */
  readonly repeatable?: readonly string[]
  /** A query is never malformed: a value that cannot be decoded arrives as U+FFFD, which no known value contains. */
  readonly lenientQuery?: boolean
  /** Names of request headers that the verb reads, lower case. */
  readonly headers?: readonly string[]
  readonly body?: Body
  readonly output: z.ZodType
  readonly status?: number
  /** Other statuses with which `output` is sent, and the meaning of each. */
  readonly otherStatuses?: Readonly<Record<number, string>>
  /** Success is a redirect (302); with `or-202` it may also be a 202 with `output`, when a person must act first. */
  readonly redirects?: 'always' | 'or-202'
  /** Media types of the success answer when it is not JSON. */
  readonly produces?: string | readonly string[]
  readonly switch?: SwitchName
  /** The format of the error for an invalid parameter: OAuth's 400, the 422 list, or that list with OAuth's members. */
  readonly refusal: 'oauth' | 'validation' | 'oauth-validation'
  /** Codes that the operation can answer besides those that its access, body and switch imply. */
  readonly refusals?: readonly ErrorCode[]
  /** The status of each code that has another status here than usual. */
  readonly statusOf?: Readonly<Partial<Record<ErrorCode, number>>>
  /** The quota of this operation, counted per client, person or, for anonymous callers, address. */
  readonly quota?: Quota
  /** A GET consumes something, such as a one-time token, so HEAD is refused. */
  readonly consuming?: boolean
  /** Whether the operation exists only in the sandbox. */
  readonly sandboxOnly?: boolean
  /** An anonymous operation that needs the operator token in a public sandbox. */
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

/** The input of the verb: parameters, query, body and headers in one object. */
export type InputOf<E extends EndpointShape> = Known<Part<E, 'params'>> &
  Known<Part<E, 'query'>> &
  BodyInput<Part<E, 'body'>> &
  HeaderInput<Part<E, 'headers'>>
type KeyActorOf<A> = A extends { readonly anonymousGrant: string } ? KeyActor : never
export type CallOf<E extends EndpointShape> = Call<ActorOf<E['access']['actor']> | KeyActorOf<E['access']>>
export type ResultOf<E extends EndpointShape> = z.input<E['output']> | Reply
export type OutputOf<E extends EndpointShape> = z.output<E['output']>

/** A function that implements the endpoint. */
export type VerbOf<E extends EndpointShape> = (call: CallOf<E>, input: InputOf<E>) => Promise<ResultOf<E>>

/** An endpoint joined with the verb that does the work. Both HTTP lanes, tRPC and OpenAPI take operations. */
export interface Operation<E extends EndpointShape = EndpointShape, V = VerbOf<E>> {
  readonly endpoint: E
  /** The function with its own types, which may accept and return more than the endpoint declares. */
  readonly verb: V
}

const joined = Symbol('operation')

/** An operation without its specific types, for tables of operations. */
export interface AnyOperation {
  readonly endpoint: EndpointShape
  readonly verb: (call: never, input: never) => Promise<unknown>
}

export function defineEndpoint<const E extends EndpointShape>(endpoint: E): E {
  return endpoint
}

/** Joins a contract and its verb; the compiler checks that their types match. */
export function operation<E extends EndpointShape, V extends VerbOf<E>>(endpoint: E, verb: V): Operation<E, V> {
  const members = { endpoint, verb, [joined]: true }
  return members
}

/** Returns the operations among a module's exports. */
export function operationsOf(module: Readonly<Record<string, unknown>>): AnyOperation[] {
  return Object.values(module).filter(
    (value): value is AnyOperation => typeof value === 'object' && value !== null && joined in value,
  )
}
