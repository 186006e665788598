import type { EndpointShape } from '../contract/endpoint'
import { Reply } from '../contract/reply'
import type { HttpAnswer } from './exchange'

/** Turns what a verb returned into the answer that the contract promises; JSON is checked on its way out. */
export function replyAnswer(endpoint: EndpointShape, result: unknown): HttpAnswer {
  const reply = result instanceof Reply ? result : Reply.json(result)
  const status = reply.status ?? endpoint.status ?? 200
  if (reply.content === null) return { status, headers: reply.headers, body: null }
  if ('text' in reply.content) return { status, headers: reply.headers, body: reply.content.text }
  const body = JSON.stringify(endpoint.output.parse(reply.content.json))
  return { status, headers: { 'content-type': 'application/json', ...reply.headers }, body }
}
