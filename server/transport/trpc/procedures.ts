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

/** A procedure of the signed-in person. It acts as that person and for no other. */
export const signedIn = t.procedure.use(refusals).use(({ ctx, next }) => {
  if (ctx.session === null) throw signedOutError('Sign in first.', ctx.ended)
  return next({ ctx: { ...ctx, session: ctx.session, call: callOf(ctx, ctx.session) } })
})

/** 401 invalid_token, with why the session ended where that is known. */
export function signedOutError(description: string, ended: SessionEnd | null): TRPCError {
  const cause = new ServiceError('invalid_token', description, { members: ended === null ? {} : { ended } })
  return new TRPCError({ code: 'UNAUTHORIZED', message: description, cause })
}

/** The call of the person whose session it is. */
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
/** Parameters, query and body in one object, as they are sent; nothing at all where an operation takes none. */
type WireInput<E> = unknown extends Merged<E> ? void : Merged<E>

/** A parser in the form that tRPC takes from any library (standardschema.dev), whose `types` exist for the compiler alone. */
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
      // Each schema sees its own members, and the strict ones also unknown members.
      const own = given.filter(([name]) => knownKeys(schema).has(name) || !known.has(name))
      Object.assign(merged, check(schema, Object.fromEntries(own)))
    }
    return { value: merged as InputOf<E> }
  }
  return { '~standard': { version: 1, vendor: 'countersign', validate } }
}

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ValidationError(toIssues(result.error, 'body'))
}

/** Operations that a wallet token may call; the portal's session counts as one with every scope. */
type WalletEndpoint = EndpointShape & { readonly access: { readonly actor: 'wallet' } }

interface WalletOperation<E extends WalletEndpoint> {
  readonly endpoint: E
  readonly verb: (call: WalletCall, input: InputOf<E>) => Promise<ResultOf<E>>
}

type PortalVerb<S extends z.ZodType, R> = (call: WalletCall, input: z.output<S>) => Promise<R & PlainJson<R>>

/** A portal query over the very operation that HTTP serves. */
export function query<E extends WalletEndpoint>(operation: WalletOperation<E>) {
  return signedIn
    .input(parserOf(operation.endpoint))
    .query(({ ctx, input }) => perform(operation, ctx.call, input as InputOf<E>))
}

/** A portal mutation over the very operation that HTTP serves. */
export function mutation<E extends WalletEndpoint>(operation: WalletOperation<E>) {
  return signedIn
    .input(parserOf(operation.endpoint))
    .mutation(({ ctx, input }) => perform(operation, ctx.call, input as InputOf<E>))
}

/** A query that only the portal has. */
export function portalQuery<S extends z.ZodType, R>(procedure: PortalProcedureShape<S>, verb: PortalVerb<S, R>) {
  return signedIn.input(procedure.input).query(async ({ ctx, input }): Promise<R> => {
    await requireSwitch(ctx.platform.switches, procedure.switch)
    return verb(ctx.call, input as z.output<S>)
  })
}

/** A mutation that only the portal has. */
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

/** A mutation for the holder of what the input proves, signed in or not. */
export function anonymousMutation<S extends z.ZodType, R>(
  procedure: PortalProcedureShape<S>,
  verb: AnonymousVerb<S, R>,
) {
  return t.procedure
    .use(refusals)
    .input(procedure.input)
    .mutation(({ ctx: { platform, now }, input }): Promise<R> => verb({ platform, now }, input as z.output<S>))
}

/** Runs an operation's verb for the signed-in person and answers what its contract promises. */
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
