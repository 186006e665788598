import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { canonicalJson, sha256Base64url } from '../../base/protocol/encoding'
import {
  insertSubordinate,
  listSubordinates as listSubordinateRows,
  lockSubordinate,
  noteSubordinateChange,
  type Reinstatement,
  reinstateMarks,
  type SubordinateRow,
  updateSubordinate as updateSubordinateRow,
} from '../../credentials/federation'
import { type AuditValue, recordOperatorAct } from '../../shared/audit'
import { requireEntityId, requireUsableFields } from './subordinate-fields'
import type {
  createSubordinateEndpoint,
  listSubordinatesEndpoint,
  Subordinate,
  updateSubordinateEndpoint,
} from './subordinates-contract'

type Create = typeof createSubordinateEndpoint
type Update = typeof updateSubordinateEndpoint

/** POST /operator/federation/subordinates; 409 when the entity exists already, even revoked. */
export async function createSubordinate(call: OperatorCall, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { platform, now } = call
  requireEntityId(platform, input.entity_id)
  requireUsableFields(platform, input)
  const row: SubordinateRow = {
    entity_id: input.entity_id,
    status: 'active',
    entity_types: input.entity_types,
    jwks: input.jwks,
    metadata: input.metadata ?? null,
    metadata_policy: input.metadata_policy ?? null,
    constraints: input.constraints ?? null,
    trust_mark_ids: input.trust_mark_ids ?? [],
    created_at: now,
    updated_at: now,
  }
  await platform.db.transaction(async (tx) => {
    const inserted = await insertSubordinate(tx, row)
    if (inserted === null) throw new ServiceError('conflict', 'There is a subordinate with this entity_id.')
    await recordOperatorAct(tx, call, {
      what: 'createSubordinate',
      from: null,
      to: difference(null, row).to,
      subjectId: row.entity_id,
    })
  })
  return renderSubordinate(row)
}

/** GET /operator/federation/subordinates. */
export async function listSubordinates({ platform }: OperatorCall): Promise<OutputOf<typeof listSubordinatesEndpoint>> {
  return { subordinates: (await listSubordinateRows(platform.db)).map(renderSubordinate) }
}

/** PATCH /operator/federation/subordinates/{entity_id}: absent fields stay as they are. */
export async function updateSubordinate(
  call: OperatorCall,
  { entity_id: entityId, reinstate_trust_mark_ids: reinstated = [], ...changes }: InputOf<Update>,
): Promise<OutputOf<Update>> {
  const { platform, now } = call
  requireUsableFields(platform, changes)
  const row = await platform.db.transaction(async (tx) => {
    const before = await lockSubordinate(tx, entityId)
    if (before === null) throw new ServiceError('not_found', 'There is no such subordinate.')
    if (changes.status !== undefined && before.status === 'revoked') {
      throw new ServiceError('conflict', 'The subordinate was revoked, which is final.')
    }
    await reinstate(tx, { sub: entityId, trustMarkIds: reinstated, now })
    const after: SubordinateRow = { ...before, ...given(changes), updated_at: now }
    await updateSubordinateRow(tx, after)
    await noteSubordinateChange(tx, platform.config, { before, after, now })
    const { from, to } = difference(before, after)
    const marks = reinstated.length === 0 ? {} : { reinstated_trust_mark_ids: reinstated }
    await recordOperatorAct(tx, call, {
      what: 'updateSubordinate',
      from,
      to: { ...to, ...marks },
      subjectId: entityId,
    })
    return after
  })
  return renderSubordinate(row)
}

async function reinstate(tx: Transaction, marks: Reinstatement): Promise<void> {
  const count = marks.trustMarkIds.length
  if (count === 0 || (await reinstateMarks(tx, marks)) === count) return
  throw new ServiceError('not_found', 'One of the trust marks to reinstate is not revoked.')
}

/** Returns the members that were sent; null removes a stored value. */
function given(changes: Omit<InputOf<Update>, 'entity_id' | 'reinstate_trust_mark_ids'>): Partial<SubordinateRow> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

const auditedFields = ['status', 'entity_types', 'trust_mark_ids', 'constraints'] as const
const digestedFields = ['jwks', 'metadata', 'metadata_policy'] as const

/** Returns the fields that differ, for an audit entry: of keys their kids, of long values a digest. */
function difference(before: SubordinateRow | null, after: SubordinateRow) {
  const [was, is] = [before === null ? null : auditValuesOf(before), auditValuesOf(after)]
  const changed = Object.keys(is).filter((field) => JSON.stringify(was?.[field] ?? null) !== JSON.stringify(is[field]))
  const pick = (values: Values | null): Values =>
    Object.fromEntries(changed.map((field) => [field, values?.[field] ?? null]))
  return { from: pick(was), to: pick(is) }
}

type Values = Record<string, AuditValue>

function auditValuesOf(row: SubordinateRow): Values {
  const plain = auditedFields.map((field) => [field, row[field] as AuditValue])
  const digests = digestedFields.map((field) => [
    `${field}_sha256`,
    row[field] === null ? null : sha256Base64url(canonicalJson(row[field])),
  ])
  return Object.fromEntries([...plain, ...digests, ['kids', kidsOf(row)]]) as Values
}

const kidsOf = ({ jwks }: SubordinateRow): readonly string[] => jwks.keys.map(({ kid }) => String(kid))

function renderSubordinate({ metadata, metadata_policy, constraints, ...row }: SubordinateRow): Subordinate {
  return {
    entity_id: row.entity_id,
    status: row.status,
    entity_types: [...row.entity_types],
    jwks: { keys: [...row.jwks.keys] },
    ...(metadata !== null && { metadata }),
    ...(metadata_policy !== null && { metadata_policy }),
    ...(constraints !== null && { constraints }),
    trust_mark_ids: [...row.trust_mark_ids],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
