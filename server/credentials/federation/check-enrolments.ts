import type { Platform } from '../../base/core/platform'
import {
  claimDueEnrolments,
  deleteEnrolment,
  type EnrolmentRow,
  ensureEnrolment,
  listEnrolledIds,
  noteUnreachable,
  refuseAll,
  saveRefusal,
  saveVerification,
} from '../../wallet/enrolments'
import { enrolmentTerms } from './enrolment-terms'
import { listEligibleIds } from './subordinate-store'
import { type Finding, verifyEntity } from './verify-entity'

/** An entity that is slow to answer holds up one of them only. */
const CHECKS_AT_ONCE = 16

/**
 * Checks the enrolled entities that are due, each about every half minute. With the federation switched off nobody is
 * verified.
 */
export async function checkEnrolments(platform: Platform, signal: AbortSignal): Promise<void> {
  if (!(await platform.switches.isOn('federation'))) return refuseAll(platform.db, platform.clock.now())
  await enrolAgentOperators(platform)
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, () => checkDue(platform, signal)))
}

async function checkDue(platform: Platform, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [enrolment] = await claimDueEnrolments(platform.db, platform.clock.now(), 1)
    if (enrolment === undefined) return
    await checkOne(platform, enrolment)
  }
}

async function checkOne(platform: Platform, enrolment: EnrolmentRow): Promise<void> {
  const now = platform.clock.now()
  try {
    await saveFinding(platform, enrolment, { finding: await verifyEntity(platform, enrolment, now), now })
  } catch (cause) {
    platform.log.error('enrolled entity not checked', { role: enrolment.role }, cause)
  }
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

/** An entity that may hold the mark of an operator of agents is one, until it may not. */
async function enrolAgentOperators({ db, clock, config }: Platform): Promise<void> {
  const role = 'agent_operator'
  const eligible = new Set(await listEligibleIds(db, enrolmentTerms(config)[role].trustMarkId))
  const enrolled = new Set(await listEnrolledIds(db, role))
  for (const entityId of eligible)
    if (!enrolled.has(entityId)) await ensureEnrolment(db, { role, entityId }, clock.now())
  for (const entityId of enrolled) if (!eligible.has(entityId)) await deleteEnrolment(db, { role, entityId })
}
