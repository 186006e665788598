import type { Platform } from '../../base/core/platform'
import {
  claimDueEnrolment,
  deleteEnrolment,
  type EnrolmentRow,
  ensureEnrolment,
  listEnrolledIds,
  moveToSlow,
  noteUnreachable,
  saveRefusal,
  saveVerification,
  takeFromSlow,
  updateAllRefused,
} from '../../wallet/enrolments'
import { enrolmentTerms } from './enrolment-terms'
import { listEligibleIds } from './subordinate-store'
import { type Finding, verifyEntity } from './verify-entity'

/** A queue of checks. Entities that are slow to answer have their own, so that they delay no others. */
interface Lane {
  readonly isSlow: boolean
  readonly checksAtOnce: number
  /** The time in which an entity and its superiors have to answer. */
  readonly timeMilliseconds: number
}

const QUICK_MILLISECONDS = 2_000
const quickLane: Lane = { isSlow: false, checksAtOnce: 16, timeMilliseconds: QUICK_MILLISECONDS }
const slowLane: Lane = { isSlow: true, checksAtOnce: 64, timeMilliseconds: 10_000 }

/**
 * Checks the enrolled entities that are due, each about every half minute, but for the slow ones. With the federation
 * switched off it marks all as not verified.
 */
export async function checkEnrolments(platform: Platform, signal: AbortSignal): Promise<void> {
  if (!(await platform.switches.isOn('federation'))) return updateAllRefused(platform.db, platform.clock.now())
  await enrolAgentOperators(platform)
  await checkLane(platform, quickLane, signal)
}

/** Checks the entities that are due and were slow to answer before. */
export async function checkSlowEnrolments(platform: Platform, signal: AbortSignal): Promise<void> {
  if (await platform.switches.isOn('federation')) await checkLane(platform, slowLane, signal)
}

async function checkLane(platform: Platform, lane: Lane, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: lane.checksAtOnce }, () => checkDue(platform, lane, signal)))
}

async function checkDue(platform: Platform, lane: Lane, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const enrolment = await claimDueEnrolment(platform.db, { isSlow: lane.isSlow, now: platform.clock.now() })
    if (enrolment === null) return
    try {
      await checkOne(platform, lane, enrolment)
    } catch (cause) {
      platform.log.error('enrolled entity not checked', { role: enrolment.role }, cause)
    }
  }
}

async function checkOne(platform: Platform, lane: Lane, enrolment: EnrolmentRow): Promise<void> {
  const now = platform.clock.now()
  const quick = AbortSignal.timeout(QUICK_MILLISECONDS)
  const finding = await verifyEntity({ platform, now, timeMilliseconds: lane.timeMilliseconds }, enrolment)
  const isQuick = !quick.aborted
  if (!isQuick && !lane.isSlow && finding.outcome === 'unreachable') return moveToSlow(platform.db, enrolment, now)
  await saveFinding(platform, enrolment, { finding, now })
  if (isQuick && lane.isSlow) await takeFromSlow(platform.db, enrolment)
}

interface DatedFinding {
  readonly finding: Finding
  readonly now: Date
}

async function saveFinding({ db, log }: Platform, enrolment: EnrolmentRow, { finding, now }: DatedFinding) {
  if (finding.outcome === 'unreachable') return noteUnreachable(db, enrolment, now)
  if (finding.outcome === 'verified') {
    await saveVerification(db, enrolment, { verification: finding.verification, now })
    return
  }
  const { refusal } = finding
  const isNew = await saveRefusal(db, enrolment, { refusal, now })
  if (isNew) log.info('enrolled entity refused', { role: enrolment.role, refusal })
}

/** Enrols each entity that may hold the mark of an operator of agents, and removes those that may not any more. */
async function enrolAgentOperators({ db, clock, config }: Platform): Promise<void> {
  const role = 'agent_operator'
  const eligible = new Set(await listEligibleIds(db, enrolmentTerms(config)[role].trustMarkId))
  const enrolled = new Set(await listEnrolledIds(db, role))
  for (const entityId of eligible)
    if (!enrolled.has(entityId)) await ensureEnrolment(db, { role, entityId }, clock.now())
  for (const entityId of enrolled) if (!eligible.has(entityId)) await deleteEnrolment(db, { role, entityId })
}
