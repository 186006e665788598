import { ServiceError } from '../../base/core/errors'
import { freeTextRefusal } from '../../base/core/free-text'
import type { Platform } from '../../base/core/platform'
import { dateOfEpoch, epochSeconds } from '../../base/protocol/claims'
import { isJsonObject, type JsonObject } from '../../base/protocol/encoding'
import { orNullLater, ProtocolError } from '../../base/protocol/errors'
import { parseJwks } from '../../base/protocol/jwks'
import { thumbprintOf } from '../../base/protocol/key-import'
import { ENROLMENT_VERIFIED_SECONDS } from '../../base/protocol/lifetimes'
import type { EnrolmentRow, Refusal, Verification } from '../../wallet/enrolments'
import { Collector } from './collector'
import { isDeniedBySuperior } from './denied-by-superior'
import { type EnrolmentTerms, enrolmentTerms } from './enrolment-terms'
import { type Resolved, resolveSubject } from './resolve-subject'
import { listShownMarks, type ShownMark } from './shown-marks'
import { findSubordinateStatus } from './subordinate-store'

const NAME_MAX_CHARS = 120

/** The result of a check: the entity is verified, is not, or did not answer. */
export type Finding =
  | { readonly outcome: 'verified'; readonly verification: Verification }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'unreachable' }

type Subject = Pick<EnrolmentRow, 'role' | 'entity_id' | 'path'>

interface Check {
  readonly platform: Platform
  readonly now: Date
  /** The time in which other servers have to answer. */
  readonly timeMilliseconds: number
}

/** Checks an enrolled entity: its chain, and the mark and the keys that its role requires. */
export async function verifyEntity(check: Check, subject: Subject): Promise<Finding> {
  const { platform } = check
  const status = await findSubordinateStatus(platform.db, subject.entity_id)
  if (status === 'suspended' || status === 'revoked') return refused(`entity_${status}`)
  const resolved = await tryToResolve(check, subject)
  if ('outcome' in resolved) return resolved
  return evaluateEntity(check, resolved, enrolmentTerms(platform.config)[subject.role])
}

const refused = (refusal: Refusal): Finding => ({ outcome: 'refused', refusal })

/**
 * Resolves an entity. When it or an entity of its chain does not answer in time, the statements of its superiors still
 * count.
 */
async function tryToResolve(check: Check, { entity_id: entityId, path }: Subject): Promise<Resolved | Finding> {
  const { platform, now, timeMilliseconds } = check
  const collector = new Collector(platform.outbound, timeMilliseconds)
  try {
    return await resolveSubject(check, collector, entityId)
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof ServiceError)) throw error
    const isOutage = collector.isOutOfTime || [entityId, ...path].some((id) => collector.isUnreachable(id))
    if (!isOutage) return refused('unresolvable')
  }
  // With a time limit of its own, since the entity may have used up the first.
  const isDenied = await isDeniedBySuperior(new Collector(platform.outbound, timeMilliseconds), path, now)
  return isDenied ? refused('unresolvable') : { outcome: 'unreachable' }
}

async function evaluateEntity({ platform, now }: Check, resolved: Resolved, terms: EnrolmentTerms): Promise<Finding> {
  const { chain, metadata } = resolved
  const [configuration] = chain
  const shown = await listShownMarks(platform, configuration, now)
  const marks = shown.filter((mark) => mark.trustMarkId === terms.trustMarkId)
  const mark = marks.filter(({ status }) => status === 'active').toSorted((a, b) => b.exp - a.exp)[0]
  if (mark === undefined) return refused(refusalOf(marks))
  const keys = await readKeys(metadata.get(terms.entityType))
  if (keys === null) return refused('metadata_unusable')
  const { baseUrl } = platform.config
  // Without the statements of this server, which it signs again for each check.
  const chainEnds = chain.filter(({ iss }) => iss !== baseUrl).map(({ exp }) => exp)
  const until = Math.min(epochSeconds(now) + ENROLMENT_VERIFIED_SECONDS, ...chainEnds)
  return {
    outcome: 'verified',
    verification: {
      ...keys,
      verifiedUntil: dateOfEpoch(Math.min(until, mark.exp)),
      lapsesAs: mark.exp <= until ? 'mark_expired' : 'unreachable',
      path: [...new Set(chain.map(({ sub }) => sub))].filter((sub) => sub !== baseUrl),
      name: readName(metadata.get('federation_entity')),
    },
  }
}

/** Returns why none of an entity's marks of one kind is active. */
function refusalOf(marks: readonly ShownMark[]): Refusal {
  if (marks.some(({ status }) => status === 'revoked')) return 'mark_revoked'
  return marks.some(({ status }) => status === 'expired') ? 'mark_expired' : 'mark_missing'
}

/** Returns the public keys of the metadata with their thumbprints; null when they cannot be used. */
async function readKeys(
  metadata: JsonObject | undefined,
): Promise<Pick<Verification, 'keys' | 'keyThumbprints'> | null> {
  return orNullLater(async () => {
    const keys = await parseJwks(metadata?.['jwks'])
    // PostgreSQL cannot store NUL.
    if (keys.some(({ kid }) => kid?.includes('\u0000'))) return null
    const keyThumbprints = await Promise.all(keys.map((key) => thumbprintOf(key)))
    return { keys: keys.map((key) => ({ ...key })), keyThumbprints }
  })
}

/** Returns the organization's name, one short line that may be shown to people; null without one. */
function readName(metadata: JsonObject | undefined): string | null {
  const name = isJsonObject(metadata) ? metadata['organization_name'] : undefined
  const isShown = typeof name === 'string' && name.length <= NAME_MAX_CHARS && freeTextRefusal(name) === null
  return isShown && name.trim() !== '' ? name.trim() : null
}
