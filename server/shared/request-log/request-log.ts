import type { Actor } from '../../base/core/call'
import type { Cache, Platform } from '../../base/core/platform'
import type { RequestRecord } from './contract'

/** Per person; older ones go first. */
const RECORDS_MAX = 100
const RECORDS_TTL_SECONDS = 7 * 86_400

const keyOf = (principalId: string): string => `requests:${principalId}`

/** Records that wait for the write that is under way. */
const waiting = new WeakMap<Cache, Map<string, RequestRecord[]>>()

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
 * and a cache that does not answer loses it. Two processes that write for one person at the same instant may lose a line.
 */
export function noteRequest(
  platform: Platform,
  actor: Actor | null,
  record: Omit<RequestRecord, 'client_id' | 'at'>,
): void {
  const caller = platform.config.sandbox && actor !== null ? callerOf(actor) : null
  if (caller === null) return
  const { principalId, clientId } = caller
  const note = { ...record, at: platform.clock.now().toISOString(), client_id: clientId }
  const ofCache = waiting.get(platform.cache) ?? new Map<string, RequestRecord[]>()
  waiting.set(platform.cache, ofCache)
  const queued = ofCache.get(principalId)
  if (queued !== undefined) {
    queued.push(note)
    return
  }
  ofCache.set(principalId, [note])
  void write(platform.cache, principalId, ofCache)
}

/** One write at a time per person: each takes along what came in the meantime. */
async function write(cache: Cache, principalId: string, ofCache: Map<string, RequestRecord[]>): Promise<void> {
  for (;;) {
    const records = ofCache.get(principalId) ?? []
    if (records.length === 0) break
    ofCache.set(principalId, [])
    try {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).toReversed()
      const kept = newest(lines.join('') + ((await cache.get(keyOf(principalId))) ?? ''))
      await cache.set(keyOf(principalId), kept, RECORDS_TTL_SECONDS)
    } catch {
      // What is noted here is a help for developers; losing it weakens nothing.
    }
  }
  ofCache.delete(principalId)
}

/** Forgets the person's requests. */
export function forgetRequests({ cache }: Pick<Platform, 'cache'>, principalId: string): Promise<void> {
  return cache.delete(keyOf(principalId))
}

/** The newest requests of the person's agents and tokens within the last seven days, at most 100, the newest first. */
export async function readRequestLog(platform: Platform, principalId: string): Promise<readonly RequestRecord[]> {
  const oldest = new Date(platform.clock.now().getTime() - RECORDS_TTL_SECONDS * 1000).toISOString()
  return parse(await platform.cache.get(keyOf(principalId))).filter(({ at }) => at >= oldest)
}

/** The lines that are kept. They are cut as text: reading a hundred records for each new one would cost more than the request. */
function newest(lines: string): string {
  let end = 0
  for (let count = 0; count < RECORDS_MAX; count += 1) {
    const next = lines.indexOf('\n', end) + 1
    if (next === 0) return lines
    end = next
  }
  return lines.slice(0, end)
}

/** A record on each line, the newest first. Only this file writes under these keys. */
function parse(stored: string | null): RequestRecord[] {
  const lines = (stored ?? '').split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as RequestRecord)
}
