import type * as z from 'zod'
import { buildNotFoundError, toIssues } from '../../base/contract/problem'
import { ValidationError } from '../../base/core/errors'
import type { Exchange } from './exchange'

/**
 * Validates the sent parameters by the contract's schemas and joins the results to the verb's input. Parameters of the
 * address take precedence, so that a body with free member names cannot name another resource.
 */
export function validate(exchange: Exchange): void {
  const { endpoint, request, sent } = exchange
  const input: Record<string, unknown> = {}
  const params = endpoint.params === undefined ? {} : parsePath(endpoint.params, sent.path)
  const query = endpoint.query === undefined ? {} : parse(endpoint.query, sent.query, 'query')
  if (endpoint.body?.kind === 'raw') input['rawBody'] = sent.rawBody
  else if (endpoint.body !== undefined) Object.assign(input, parse(endpoint.body.schema, sent.body, 'body'))
  Object.assign(input, query, params)
  if (sent.bodyDigest !== null) input['bodyDigest'] = sent.bodyDigest
  if (endpoint.headers !== undefined) {
    input['headers'] = Object.fromEntries(endpoint.headers.map((name) => [name, request.header(name) ?? undefined]))
  }
  exchange.input = input
}

function parsePath(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw buildNotFoundError()
}

function parse(schema: z.ZodType, value: unknown, place: 'query' | 'body'): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new ValidationError(toIssues(result.error, place))
}
