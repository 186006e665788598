import { TRPCError } from '@trpc/server'
import type * as z from 'zod'
import type { EndpointShape, InputOf, OutputOf, ResultOf } from '../../base/contract/endpoint'
import { knownKeys } from '../../base/contract/known-keys'
import type { PlainJson } from '../../base/contract/plain-json'
import type { PortalProcedureShape } from '../../base/contract/portal-procedure'
import { toIssues } from '../../base/contract/problem'
import { Reply } from '../../base/contract/reply'
import type { WalletCall } from '../../base/core/call'
import { requireSwitch } from '../../base/core/common-errors'
import { ServiceError, ValidationError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { SessionEnd } from '../../identity/sessions/input'
import type { PortalContext } from './context'
import { t } from './init'
import { codeOf, isRefusal, translate } from './refusal'

const refusals = t.middleware(async ({ ctx, path, type, next }) => {
  const result = await next()
  if (result.ok) return result
  const { error } = result
  const fields = { requestId: ctx.requestId, procedure: path, principalId: ctx.session?.principalId ?? null }
  if (!isRefusal(error)) ctx.platform.log.error('portal request failed', fields, error.cause ?? error)
  else if (error.cause instanceof ServiceError && error.cause.status >= 500) {
    ctx.platform.log.warn('request refused', { ...fields, code: error.cause.code }, error.cause.cause ?? error.cause)
  } else ctx.platform.log.info('portal call refused', { ...fields, code: codeOf(error) })
  if (type === 'subscription') ctx.refuseStream(translate(error))
  throw translate(error)
})

/** The base of procedures that need a signed-in person and act only for that person. */
export const signedIn = t.procedure.use(refusals).use(({ ctx, next }) => {
  if (ctx.session === null) throw signedOutError('Sign in first.', ctx.ended)
  return next({ ctx: { ...ctx, session: ctx.session, call: callOf(ctx, ctx.session) } })
})

/** Returns 401 invalid_token, with the reason why the session ended, if known. */
export function signedOutError(description: string, ended: SessionEnd | null): TRPCError {
  const cause = new ServiceError('invalid_token', description, { members: ended === null ? {} : { ended } })
  return new TRPCError({ code: 'UNAUTHORIZED', message: description, cause })
}

/** Returns the call with the session's person as actor. */
export function callOf(ctx: PortalContext, session: NonNullable<PortalContext['session']>): WalletCall {
  return {
    actor: {
      kind: 'wallet',
      principalId: session.principalId,
      tenantId: session.tenantId,
      via: 'portal',
      session: { id: session.id, method: session.method, authenticatedAt: session.authenticatedAt },
    },
    platform: ctx.platform,
    requestId: ctx.requestId,
    now: ctx.now,
  }
}

type WireOf<E, K extends string> = E extends { readonly [P in K]: infer S }
  ? S extends z.ZodType
    ? z.input<S>
    : unknown
  : unknown
type BodyWireOf<E> = E extends { readonly body: { readonly schema: infer S } }
  ? S extends z.ZodType
    ? z.input<S>
    : unknown
  : unknown
type Merged<E> = WireOf<E, 'params'> & WireOf<E, 'query'> & BodyWireOf<E>
/** Parameters, query and body in one object, as they are sent; void when the operation has none. */
type WireInput<E> = unknown extends Merged<E> ? void : Merged<E>

/** A parser in the Standard Schema form, which tRPC accepts (standardschema.dev); `types` is only for the compiler. */
interface Parser<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'countersign'
    readonly validate: (raw: unknown) => { readonly value: Output }
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

function parserOf<E extends EndpointShape>(endpoint: E): Parser<WireInput<E>, InputOf<E>> {
  const { params, query: queryShape, body } = endpoint
  const schemas = [params, queryShape, body !== undefined && 'schema' in body ? body.schema : undefined]
  const validate = (raw: unknown) => {
    const given = Object.entries(typeof raw === 'object' && raw !== null ? raw : {})
    const merged: Record<string, unknown> = {}
    const known = new Set(schemas.flatMap((schema) => [...knownKeys(schema)]))
    for (const schema of schemas) {
      if (schema === undefined) continue
      // Each schema gets its own members and all unknown ones, which strict schemas refuse.
      const own = given.filter(([name]) => knownKeys(schema).has(name) || !known.has(name))
      Object.assign(merged, parse(schema, Object.fromEntries(own)))
    }
    return { value: merged as InputOf<E> }
  }
  return { '~standard': { version: 1, vendor: 'countersign', validate } }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ValidationError(toIssues(result.error, 'body'))
}

/** An operation that a wallet token may call; the portal's session counts as a token with all scopes. */
type WalletEndpoint = EndpointShape & { readonly access: { readonly actor: 'wallet' } }

interface WalletOperation<E extends WalletEndpoint> {
  readonly endpoint: E
  readonly verb: (call: WalletCall, input: InputOf<E>) => Promise<ResultOf<E>>
}

type PortalVerb<S extends z.ZodType, R> = (call: WalletCall, input: z.output<S>) => Promise<R & PlainJson<R>>

/** Creates a portal query from an operation of the HTTP API. */
export function query<E extends WalletEndpoint>(operation: WalletOperation<E>) {
  return signedIn
    .input(parserOf(operation.endpoint))
    .query(({ ctx, input }) => perform(operation, ctx.call, input as InputOf<E>))
}

/** Creates a portal mutation from an operation of the HTTP API. */
export function mutation<E extends WalletEndpoint>(operation: WalletOperation<E>) {
  return signedIn
    .input(parserOf(operation.endpoint))
    .mutation(({ ctx, input }) => perform(operation, ctx.call, input as InputOf<E>))
}

/** Creates a query that only the portal has. */
export function portalQuery<S extends z.ZodType, R>(procedure: PortalProcedureShape<S>, verb: PortalVerb<S, R>) {
  return signedIn.input(procedure.input).query(async ({ ctx, input }): Promise<R> => {
    await requireSwitch(ctx.platform.switches, procedure.switch)
    return verb(ctx.call, input as z.output<S>)
  })
}

/** Creates a mutation that only the portal has. */
export function portalMutation<S extends z.ZodType, R>(procedure: PortalProcedureShape<S>, verb: PortalVerb<S, R>) {
  const contracted = signedIn.meta({ stepUp: procedure.stepUp })
  return contracted.input(procedure.input).mutation(async ({ ctx, input }): Promise<R> => {
    await requireSwitch(ctx.platform.switches, procedure.switch)
    const result = await verb(ctx.call, input as z.output<S>)
    if (procedure.rotating === true) await ctx.rotateSession()
    return result
  })
}

type AnonymousVerb<S extends z.ZodType, R> = (
  call: Pick<WalletCall, 'platform' | 'now'>,
  input: z.output<S>,
) => Promise<R & PlainJson<R>>

/** Creates a mutation that anyone with a valid input, such as the token of a link, may call, signed in or not. */
export function anonymousMutation<S extends z.ZodType, R>(
  procedure: PortalProcedureShape<S>,
  verb: AnonymousVerb<S, R>,
) {
  return t.procedure
    .use(refusals)
    .input(procedure.input)
    .mutation(({ ctx: { platform, now }, input }): Promise<R> => verb({ platform, now }, input as z.output<S>))
}

/** Runs an operation's verb for the signed-in person and returns the output of its contract. */
async function perform<E extends WalletEndpoint>(
  { endpoint, verb }: WalletOperation<E>,
  call: WalletCall,
  input: InputOf<E>,
): Promise<OutputOf<E>> {
  await requireSwitch(call.platform.switches, endpoint.switch)
  const result = await verb(call, input)
  if (!(result instanceof Reply)) return endpoint.output.parse(result) as OutputOf<E>
  invariant(result.content !== null && 'json' in result.content, 'the portal takes operations that answer JSON')
  return endpoint.output.parse(result.content.json) as OutputOf<E>
}
