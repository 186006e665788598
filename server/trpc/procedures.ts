import { TRPCError } from '@trpc/server'
import type * as z from 'zod'
import type { EndpointShape, InputOf, Operation } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ServiceError, ValidationError } from '../core/errors'
import { perform, type WalletEndpoint } from '../portal'
import type { PortalContext } from './context'
import { t } from './init'
import { isRefusal, translate } from './refusal'

const refusals = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const { error } = result
  const fields = { requestId: ctx.requestId, procedure: path }
  if (!isRefusal(error)) ctx.platform.log.error('portal request failed', fields, error.cause ?? error)
  else if (error.cause instanceof ServiceError && error.cause.status >= 500) {
    ctx.platform.log.warn('request refused', { ...fields, code: error.cause.code }, error.cause.cause ?? error.cause)
  }
  throw translate(error)
})

/** A procedure of the signed-in person. Whatever it does, it does as that person and for nobody else. */
export const signedIn = t.procedure.use(refusals).use(({ ctx, next }) => {
  if (ctx.session === null) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' })
  return next({ ctx: { ...ctx, session: ctx.session, call: callOf(ctx, ctx.session) } })
})

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

interface Parser<Input, Output> {
  readonly _input: Input
  readonly _output: Output
  parse(raw: unknown): Output
}

function parserOf<E extends EndpointShape>(endpoint: E): Parser<WireInput<E>, InputOf<E>> {
  const { params, query: queryShape, body } = endpoint
  const schemas = [params, queryShape, body !== undefined && 'schema' in body ? body.schema : undefined]
  const parse = (raw: unknown): unknown => {
    const given = Object.entries(typeof raw === 'object' && raw !== null ? raw : {})
    const merged: Record<string, unknown> = {}
    const known = new Set(schemas.flatMap((schema) => [...keysOf(schema)]))
    for (const schema of schemas) {
      if (schema === undefined) continue
      // Each schema sees its own members, and the strict ones also what nobody knows.
      const own = given.filter(([name]) => keysOf(schema).has(name) || !known.has(name))
      Object.assign(merged, check(schema, Object.fromEntries(own)))
    }
    return merged
  }
  return { parse } as Parser<WireInput<E>, InputOf<E>>
}

function keysOf(schema: z.ZodType | undefined): ReadonlySet<string> {
  return new Set(schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [])
}

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ValidationError(
    result.error.issues.slice(0, 20).map(({ path, message, code }) => ({
      loc: ['body', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      msg: message,
      type: code,
    })),
  )
}

/** A portal query over the very operation that HTTP serves. */
export function query<E extends WalletEndpoint>(operation: Operation<E>) {
  return signedIn.input(parserOf(operation.endpoint)).query(({ ctx, input }) => perform(operation, ctx.call, input))
}

/** A portal mutation over the very operation that HTTP serves. */
export function mutation<E extends WalletEndpoint>(operation: Operation<E>) {
  return signedIn.input(parserOf(operation.endpoint)).mutation(({ ctx, input }) => perform(operation, ctx.call, input))
}

/** A query that only the portal has. */
export function portalQuery<S extends z.ZodType, R>(
  schema: S,
  verb: (call: WalletCall, input: z.output<S>) => Promise<R>,
) {
  return signedIn.input(schema).query(({ ctx, input }) => verb(ctx.call, input as z.output<S>))
}

/** A mutation that only the portal has. */
export function portalMutation<S extends z.ZodType, R>(
  schema: S,
  verb: (call: WalletCall, input: z.output<S>) => Promise<R>,
) {
  return signedIn.input(schema).mutation(({ ctx, input }) => verb(ctx.call, input as z.output<S>))
}

/** A mutation that changes what proves who the person is. Once it is done, the session goes on with another cookie. */
export function rotatingMutation<S extends z.ZodType, R>(
  schema: S,
  verb: (call: WalletCall, input: z.output<S>) => Promise<R>,
) {
  return signedIn.input(schema).mutation(async ({ ctx, input }) => {
    const result = await verb(ctx.call, input as z.output<S>)
    await ctx.rotateSession()
    return result
  })
}
