import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { buildFieldError, ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Platform } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { recordOperatorAct } from '../../shared/audit'
import { nudgeJobs } from '../../shared/queue'
import { type EnrolmentRow, readEnrolments, statusAt } from '../../wallet/enrolments'
import {
  AUDIENCE_RULE,
  countMerchants,
  defaultFeeBps,
  insertMerchant,
  listMerchants as listMerchantRows,
  lockMerchant,
  type MerchantRow,
  payableAudience,
  tieMerchant,
  updateMerchant as updateMerchantRow,
} from '../../wallet/merchants'
import type { createMerchantEndpoint, listMerchantsEndpoint, Merchant, updateMerchantEndpoint } from './contract'
import { merchantDifference } from './merchant-difference'
import { notifyMerchant } from './notify-merchant'
import { requireEntityId } from './subordinate-fields'

type Create = typeof createMerchantEndpoint
type List = typeof listMerchantsEndpoint
type Update = typeof updateMerchantEndpoint

/** POST /operator/merchants; 409 when the audience, in any spelling, is taken. */
export async function createMerchant(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { platform, now } = call
  requirePayable(platform, input.merchant_audience)
  requireEntity(platform, input.federation_entity_id)
  const id = platform.random.uuid()
  const { max_application_fee_bps = defaultFeeBps(platform.config), ...rest } = input
  const fields = { ...rest, max_application_fee_bps }
  const inserting = platform.db.transaction(async (tx) => {
    const row = await insertMerchant(tx, { id, fields, now })
    await tieMerchant(tx, { before: null, after: row, now })
    const { to } = merchantDifference(null, row)
    await recordOperatorAct(tx, call, { what: 'createMerchant', from: null, to, subjectId: id })
    return row
  })
  return renderMerchant(call, await inserting.catch(rethrowTakenAudience))
}

/** GET /operator/merchants, by name. */
export async function listMerchants({ platform, now }: OperatorCall, input: InputOf<List>): Promise<OutputOf<List>> {
  const { page, page_size } = input
  const rows = await listMerchantRows(platform.db, { limit: page_size, offset: (page - 1) * page_size })
  return {
    merchants: await renderMerchants({ platform, now }, rows),
    page,
    page_size,
    total: await countMerchants(platform.db),
  }
}

/**
 * PATCH /operator/merchants/{id}: absent fields stay as they are. Changes of account, fee, keys or contact are mailed
 * to the contact.
 */
export async function updateMerchant(
  call: OperatorCall,
  { id, ...changes }: InputOf<Update>,
): Promise<OutputOf<Update>> {
  const { platform, now } = call
  requirePayable(platform, changes.merchant_audience)
  requireEntity(platform, changes.federation_entity_id)
  const updating = platform.db.transaction(async (tx) => {
    const before = await lockMerchant(tx, id)
    if (before === null) throw new ServiceError('not_found', 'There is no such merchant.')
    const after = await updateMerchantRow(tx, { id, changes, now })
    await tieMerchant(tx, { before, after, now })
    await notifyMerchant(tx, call, { before, after })
    await recordOperatorAct(tx, call, { what: 'updateMerchant', ...merchantDifference(before, after), subjectId: id })
    return after
  })
  const row = await updating.catch(rethrowTakenAudience)
  nudgeJobs(platform)
  return renderMerchant(call, row)
}

function requirePayable({ config }: Platform, audience: string | undefined): void {
  if (audience === undefined || payableAudience(config, audience) !== null) return
  throw buildFieldError(['body', 'merchant_audience'], AUDIENCE_RULE)
}

function requireEntity(platform: Platform, entityId: string | null | undefined): void {
  if (entityId) requireEntityId(platform, entityId, 'federation_entity_id')
}

function rethrowTakenAudience(error: unknown): never {
  if (!isUniqueViolation(error, 'merchants_merchant_audience_key')) throw error
  throw new ServiceError('conflict', 'Another merchant has this merchant_audience.')
}

type Moment = Pick<OperatorCall, 'platform' | 'now'>

async function renderMerchants({ platform, now }: Moment, rows: readonly MerchantRow[]): Promise<Merchant[]> {
  const entityIds = rows.flatMap((row) => row.federation_entity_id ?? [])
  const enrolments = await readEnrolments(platform.db, 'merchant', entityIds)
  return rows.map((row) => ({
    ...row,
    verified_at: row.verified_at?.toISOString() ?? null,
    federation: federationStatus(enrolments.get(row.federation_entity_id ?? ''), now),
    created_at: row.created_at.toISOString(),
  }))
}

async function renderMerchant(moment: Moment, row: MerchantRow): Promise<Merchant> {
  const [merchant] = await renderMerchants(moment, [row])
  invariant(merchant !== undefined, 'one row gives one merchant')
  return merchant
}

function federationStatus(enrolment: EnrolmentRow | undefined, now: Date): Merchant['federation'] {
  if (enrolment === undefined) return null
  const { refusal, since } = statusAt(enrolment, now)
  return {
    status: refusal ?? 'verified',
    since: since.toISOString(),
    checked_at: enrolment.checked_at?.toISOString() ?? null,
    verified_until: enrolment.verified_until?.toISOString() ?? null,
  }
}
