import { jobHandlers } from '@/server/jobs'
import { runDueJobs } from '@/server/shared/queue'
import { type Answer, exchange, newPrincipal, Person, type PrincipalOptions } from '../support/actors'
import type { App } from '../support/app'

/** Every right that is asked for by POST. */
export const rights = ['access', 'rectification', 'erasure', 'portability', 'restriction', 'objection'] as const
export type Right = (typeof rights)[number]

export interface RightRequest {
  /** As it is sent; nothing when left out. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks for a right with a token, which may be any. */
export function ask<T = Record<string, unknown>>(
  app: App,
  token: string,
  right: Right,
  { body, headers = {} }: RightRequest = {},
): Promise<Answer<T>> {
  return exchange<T>(`${app.baseUrl}/privacy/dsar/${right}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
}

/** What each right is asked for with. */
export const goodBody = (right: Right): RightRequest =>
  right === 'rectification' ? { body: '{"display_name":"Ada Byron"}' } : {}

/** A person with a wallet token of these scopes. */
export async function newPerson(
  app: App,
  options: PrincipalOptions = {},
  scope = 'wallet:read wallet:write privacy:dsar',
) {
  const { principalId, email } = await newPrincipal(app, options)
  return { principalId, email, person: await Person.signIn(app, principalId, scope) }
}

/** Does the work that requests have left behind. */
export const runJobs = (app: App): Promise<number> => runDueJobs(app.platform, jobHandlers)

interface OutboxMessage {
  readonly to: string
  readonly subject?: string
  readonly text: string
  readonly data?: { readonly request_id: string; readonly dump: Record<string, unknown> }
}

/** The messages to an address, newest first. */
export async function outboxOf(app: App, address: string): Promise<OutboxMessage[]> {
  const answer = await exchange<{ messages: OutboxMessage[] }>(`${app.baseUrl}/sandbox/outbox`, {
    headers: { accept: 'application/json' },
  })
  return answer.json.messages.filter(({ to }) => to === address)
}
