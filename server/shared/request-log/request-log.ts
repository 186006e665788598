import type { Actor } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import type { RequestRecord } from './contract'

/** Per person; older ones go first. */
const RECORDS_MAX = 100
const RECORDS_TTL_SECONDS = 7 * 86_400

const keyOf = (principalId: string): string => `request-log:${principalId}`

/** Whose request it was, as far as that is known: the person, and their agent when one called. */
function callerOf(actor: Actor): { principalId: string; clientId: string | null } | null {
  switch (actor.kind) {
    case 'agent':
      return { principalId: actor.principalId, clientId: actor.clientId }
    case 'wallet':
      return actor.via === 'token' ? { principalId: actor.principalId, clientId: null } : null
    case 'client':
      return actor.client.principalId === null
        ? null
        : { principalId: actor.client.principalId, clientId: actor.client.id }
    case 'anonymous':
    case 'key':
    case 'operator':
    case 'backend':
      return null
  }
}

/**
 * Notes a request of a person's agent or token for the page for developers. Only in the sandbox; no request waits for it,
 * and a cache that does not answer loses it.
 */
export function noteRequest(
  platform: Platform,
  actor: Actor | null,
  record: Omit<RequestRecord, 'client_id' | 'at'>,
): void {
  const caller = platform.config.sandbox && actor !== null ? callerOf(actor) : null
  if (caller === null) return
  const note = { ...record, at: platform.clock.now().toISOString(), client_id: caller.clientId }
  const bounds = { most: RECORDS_MAX, ttlSeconds: RECORDS_TTL_SECONDS }
  // A help for developers: losing a line weakens nothing.
  platform.cache.prepend(keyOf(caller.principalId), JSON.stringify(note), bounds).catch(() => undefined)
}

/** Forgets the person's requests. */
export function forgetRequests({ cache }: Pick<Platform, 'cache'>, principalId: string): Promise<void> {
  return cache.delete(keyOf(principalId))
}

/** The newest requests of the person's agents and tokens within the last seven days, at most 100, the newest first. */
export async function readRequestLog(platform: Platform, principalId: string): Promise<readonly RequestRecord[]> {
  const oldest = new Date(platform.clock.now().getTime() - RECORDS_TTL_SECONDS * 1000).toISOString()
  const lines = await platform.cache.list(keyOf(principalId))
  // Only this file writes under these keys.
  return lines.map((line) => JSON.parse(line) as RequestRecord).filter(({ at }) => at >= oldest)
}
