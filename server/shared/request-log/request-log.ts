import type { Actor } from '../../base/core/call'
import type { Platform } from '../../base/core/platform'
import type { RequestRecord } from './contract'

/** The most records per person; the oldest ones are removed first. */
const RECORDS_MAX = 100
const RECORDS_TTL_SECONDS = 7 * 86_400

const keyOf = (principalId: string): string => `request-log:${principalId}`

/** Returns the person of a request, and the agent when one called; null when no person is known. */
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
 * Logs a request of a person's agent or token for the page for developers, in the sandbox only. The request does not
 * wait for it, and the record is lost when the cache does not answer.
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
  // The log only helps developers, so a lost record does no harm.
  platform.cache.prepend(keyOf(caller.principalId), JSON.stringify(note), bounds).catch(() => undefined)
}

/** Deletes the log of the person's requests. */
export function forgetRequests({ cache }: Pick<Platform, 'cache'>, principalId: string): Promise<void> {
  return cache.delete(keyOf(principalId))
}

/** Returns the requests of the person's agents and tokens within the last seven days, at most 100, newest first. */
export async function readRequestLog(platform: Platform, principalId: string): Promise<readonly RequestRecord[]> {
  const oldest = new Date(platform.clock.now().getTime() - RECORDS_TTL_SECONDS * 1000).toISOString()
  const lines = await platform.cache.list(keyOf(principalId))
  // Only this file writes under these keys.
  return lines.map((line) => JSON.parse(line) as RequestRecord).filter(({ at }) => at >= oldest)
}
