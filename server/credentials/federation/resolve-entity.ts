import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError, ValidationError } from '../../base/core/errors'
import { epochSeconds } from '../../base/protocol/claims'
import { ProtocolError } from '../../base/protocol/errors'
import { CLOCK_SKEW_SECONDS } from '../../base/protocol/lifetimes'
import { Collector } from './collector'
import { RESOLVE_MEDIA_TYPE, type resolveEntityEndpoint } from './contract'
import { type Resolved, resolveSubject } from './resolve-subject'
import { listShownMarks } from './shown-marks'
import { signFederationDocument } from './statements'

type Query = InputOf<typeof resolveEntityEndpoint>

const RESOLVE_TYPE = 'resolve-response+jwt'

/** GET /federation/resolve (section 8.3): the whole chain is verified, or the answer is an error without any of it. */
export async function resolveEntity(call: AnonymousCall, query: Query): Promise<Reply> {
  const { platform } = call
  requireAnchor(call, query)
  try {
    const resolved = await resolveSubject(call, new Collector(platform.outbound), query.sub)
    const response = await signResolveResponse(call, resolved, query.entity_type ?? null)
    return Reply.text(response, RESOLVE_MEDIA_TYPE)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const code = error.code === 'invalid_metadata' ? 'invalid_metadata' : 'invalid_trust_chain'
    platform.log.info('trust chain refused', { requestId: call.requestId, code })
    throw new ServiceError(code, `${error.message}.`, { cause: error })
  }
}

function requireAnchor({ platform }: AnonymousCall, { anchor, trust_anchor }: Query): void {
  const anchors = anchor === undefined ? trust_anchor : [anchor]
  if (anchors === undefined) {
    throw new ValidationError([{ loc: ['query', 'anchor'], msg: 'Field required', type: 'missing' }])
  }
  if (anchors.includes(platform.config.baseUrl)) return
  throw new ServiceError('invalid_trust_anchor', 'This server resolves entities for itself as the anchor only.')
}

async function signResolveResponse(
  call: AnonymousCall,
  { chain, metadata }: Resolved,
  entityTypes: readonly string[] | null,
): Promise<string> {
  const { platform, now } = call
  const [configuration] = chain
  const shown = await listShownMarks(platform, configuration, now)
  const marks = shown.filter(({ status }) => status === 'active')
  const ends = [...chain, ...marks].map(({ exp }) => exp)
  const types = [...metadata].filter(([type]) => entityTypes === null || entityTypes.includes(type))
  return signFederationDocument(platform, RESOLVE_TYPE, {
    iss: platform.config.baseUrl,
    sub: configuration.sub,
    iat: epochSeconds(now),
    exp: firstEnd(ends, epochSeconds(now)),
    metadata: Object.fromEntries(types),
    trust_chain: chain.map(({ compact }) => compact),
    ...(marks.length > 0 && {
      trust_marks: marks.map(({ trustMarkId: id, compact }) => ({
        trust_mark_type: id,
        trust_mark_id: id,
        trust_mark: compact,
      })),
    }),
  })
}

/**
 * Returns when the first statement of a chain expires, in seconds since 1970. One that has expired, but is accepted
 * because clocks may differ, lasts for `CLOCK_SKEW_SECONDS` longer.
 */
function firstEnd(ends: readonly number[], now: number): number {
  const first = Math.min(...ends)
  return first > now ? first : first + CLOCK_SKEW_SECONDS
}
