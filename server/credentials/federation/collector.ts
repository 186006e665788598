import { OutboundFailure } from '../../base/core/outbound-failure'
import { parseUrl } from '../../base/core/parse-url'
import type { Outbound } from '../../base/core/platform'
import { decodeBase64url, isJsonObject, type JsonObject, parseJsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { ENTITY_STATEMENT_MAX_BYTES } from '../../base/protocol/lifetimes'
import { ENTITY_STATEMENT_MEDIA_TYPE } from './contract'

const FETCHES_MAX = 32
const TIME_MILLISECONDS = 10_000
const HINTS_MAX = 8
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/** What an entity says of itself; nothing of it is verified yet. */
export interface FetchedConfiguration {
  readonly compact: string
  /** The superiors that it names, of which it may follow the first eight. */
  readonly hints: readonly string[]
  readonly fetchEndpoint: string | null
}

/** An entity above another one. */
interface Superior {
  readonly entityId: string
  readonly configuration: FetchedConfiguration
}

/**
 * Fetches statements for one request, within bounds of number and time. Null is a statement that cannot be had: the
 * address is not allowed, no good answer came in time, or too much was fetched already.
 */
export class Collector {
  readonly #answers = new Map<string, Promise<string | null>>()
  readonly #timeout: AbortSignal
  readonly #unreachable = new Set<string>()
  #fetches = 0

  constructor(
    private readonly outbound: Outbound,
    timeMilliseconds = TIME_MILLISECONDS,
  ) {
    this.#timeout = AbortSignal.timeout(timeMilliseconds)
  }

  /** The configuration of an entity (section 9). */
  async configuration(entityId: string): Promise<FetchedConfiguration | null> {
    const url = `${entityId.replace(/\/$/, '')}/.well-known/openid-federation`
    return readConfiguration(await this.#ask(entityId, url))
  }

  /** What a superior says of an entity (section 8.1). */
  async statement({ entityId, configuration }: Superior, sub: string): Promise<string | null> {
    const url = configuration.fetchEndpoint === null ? null : parseUrl(configuration.fetchEndpoint)
    if (url === null) return null
    url.searchParams.set('sub', sub)
    return this.#ask(entityId, url.href)
  }

  /** Several paths lead over the same entities: an address is asked once. */
  #ask(entityId: string, url: string): Promise<string | null> {
    const answer = this.#answers.get(url) ?? this.#load(entityId, url)
    this.#answers.set(url, answer)
    return answer
  }

  /** Whether an entity gave no answer when it was asked, so that what it would say is not known. */
  isUnreachable(entityId: string): boolean {
    return this.#unreachable.has(entityId)
  }

  /** Whether the time was used up, so that what was not answered by then is not known. */
  get isOutOfTime(): boolean {
    return this.#timeout.aborted
  }

  async #load(entityId: string, url: string): Promise<string | null> {
    if (this.#fetches >= FETCHES_MAX || this.#timeout.aborted) return this.#noAnswer(entityId)
    this.#fetches += 1
    try {
      const answer = await this.outbound.get(url, { accept: ENTITY_STATEMENT_MEDIA_TYPE, signal: this.#timeout })
      if (answer.status >= SERVER_ERROR || answer.status === TOO_MANY_REQUESTS) return this.#noAnswer(entityId)
      if (answer.status !== 200 || answer.mediaType !== ENTITY_STATEMENT_MEDIA_TYPE) return null
      return answer.body.toString('latin1').trim()
    } catch (error) {
      if (error instanceof OutboundFailure) return this.#noAnswer(entityId)
      throw error
    }
  }

  #noAnswer(entityId: string): null {
    this.#unreachable.add(entityId)
    return null
  }
}

/**
 * The members of a configuration that lead on; null when its payload is no object. Its header is checked with the rest
 * of a path, so that a wrong one makes the path invalid rather than absent.
 */
function readConfiguration(compact: string | null): FetchedConfiguration | null {
  if (compact === null || compact.length > ENTITY_STATEMENT_MAX_BYTES) return null
  const [, payload = ''] = compact.split('.', 2)
  try {
    const claims = parseJsonObject(decodeBase64url(payload))
    return { compact, hints: hintsOf(claims), fetchEndpoint: fetchEndpointOf(claims) }
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

/** A hint with NUL is no address, and the database takes none. */
function hintsOf({ authority_hints: hints }: JsonObject): readonly string[] {
  if (!Array.isArray(hints)) return []
  const texts = hints.slice(0, HINTS_MAX).filter((hint) => typeof hint === 'string' && !hint.includes('\u0000'))
  return [...new Set(texts)]
}

function fetchEndpointOf({ metadata }: JsonObject): string | null {
  const entity = isJsonObject(metadata) ? metadata['federation_entity'] : undefined
  const endpoint = isJsonObject(entity) ? entity['federation_fetch_endpoint'] : undefined
  return typeof endpoint === 'string' ? endpoint : null
}
