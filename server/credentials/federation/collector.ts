import { OutboundFailure } from '../../base/core/outbound-failure'
import { parseUrl } from '../../base/core/parse-url'
import type { Outbound } from '../../base/core/platform'
import { decodeBase64url, isJsonObject, type JsonObject, parseJsonObject } from '../../base/protocol/encoding'
import { orNull } from '../../base/protocol/errors'
import { ENTITY_STATEMENT_MAX_BYTES } from '../../base/protocol/lifetimes'
import { ENTITY_STATEMENT_MEDIA_TYPE } from './contract'

const FETCHES_MAX = 32
const TIME_MILLISECONDS = 10_000
const HINTS_MAX = 8
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/** The configuration that an entity publishes about itself; nothing of it is verified yet. */
export interface FetchedConfiguration {
  readonly compact: string
  /** The superiors that the entity names, at most eight. */
  readonly hints: readonly string[]
  readonly fetchEndpoint: string | null
}

/** An entity above another one. */
interface Superior {
  readonly entityId: string
  readonly configuration: FetchedConfiguration
}

/**
 * Fetches statements for one request, within limits of number and time. Returns null for a statement that cannot be
 * fetched: the address is not allowed, no usable answer came in time, or too much was fetched already.
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

  /** Fetches the configuration of an entity (section 9). */
  async configuration(entityId: string): Promise<FetchedConfiguration | null> {
    const url = `${entityId.replace(/\/$/, '')}/.well-known/openid-federation`
    return readConfiguration(await this.#ask(entityId, url))
  }

  /** Fetches the statement of a superior about an entity (section 8.1). */
  async statement({ entityId, configuration }: Superior, sub: string): Promise<string | null> {
    const url = configuration.fetchEndpoint === null ? null : parseUrl(configuration.fetchEndpoint)
    if (url === null) return null
    url.searchParams.set('sub', sub)
    return this.#ask(entityId, url.href)
  }

  /** Fetches an address once, since several paths lead over the same entities. */
  #ask(entityId: string, url: string): Promise<string | null> {
    const answer = this.#answers.get(url) ?? this.#load(entityId, url)
    this.#answers.set(url, answer)
    return answer
  }

  /** Returns whether an entity did not answer a request, so that its statements are unknown. */
  isUnreachable(entityId: string): boolean {
    return this.#unreachable.has(entityId)
  }

  /** Whether the time is used up, so that missing answers are unknown. */
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
 * Returns the members of a configuration that lead to other entities; null when its payload is no object. Its header is
 * checked with the rest of a path, so that a wrong one makes the path invalid rather than absent.
 */
function readConfiguration(compact: string | null): FetchedConfiguration | null {
  if (compact === null || compact.length > ENTITY_STATEMENT_MAX_BYTES) return null
  const [, payload = ''] = compact.split('.', 2)
  return orNull(() => {
    const claims = parseJsonObject(decodeBase64url(payload))
    return { compact, hints: hintsOf(claims), fetchEndpoint: fetchEndpointOf(claims) }
  })
}

/**
 * Returns the distinct superiors that an entity names. A hint with NUL is dropped: it is no address, and the database
 * cannot store it.
 */
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
