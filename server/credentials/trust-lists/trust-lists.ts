import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { OperatorCall } from '../../base/core/call'
import { buildFieldError, ServiceError } from '../../base/core/errors'
import { recordOperatorAct } from '../../shared/audit'
import type { deleteTrustListEndpoint, listTrustListsEndpoint, saveTrustListEndpoint } from './contract'
import { describeIssuers } from './describe-issuers'
import { parseIssuers } from './parse-issuers'
import {
  deleteTrustList as deleteTrustListRow,
  listTrustLists as listTrustListRows,
  replaceTrustList,
  type TrustListRow,
} from './trust-list-store'

type Save = typeof saveTrustListEndpoint
type List = typeof listTrustListsEndpoint
type Delete = typeof deleteTrustListEndpoint

const REGION = /^[A-Za-z0-9-]{1,32}$/

/** PUT /operator/trust-lists/{region}. Replaces the whole list, for all verifications after the answer. */
export async function saveTrustList(call: OperatorCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  const { platform, now } = call
  const { region } = input
  if (!REGION.test(region)) throw buildFieldError(['path', 'region'], 'must be 1 to 32 letters, digits and hyphens')
  const issuers = await parseIssuers(platform.outbound, input.issuers)
  await platform.db.transaction(async (tx) => {
    const before = await replaceTrustList(tx, { region, issuers, now })
    const change = { from: await describeIssuers(before), to: await describeIssuers(issuers) }
    await recordOperatorAct(tx, call, { what: 'saveTrustList', ...change, subjectId: region })
  })
  return renderTrustList({ region, issuers, updated_at: now })
}

/** GET /operator/trust-lists, by region. */
export async function listTrustLists({ platform }: OperatorCall): Promise<OutputOf<List>> {
  return { trust_lists: (await listTrustListRows(platform.db)).map(renderTrustList) }
}

/** DELETE /operator/trust-lists/{region}. */
export async function deleteTrustList(call: OperatorCall, { region }: InputOf<Delete>): Promise<Reply> {
  await call.platform.db.transaction(async (tx) => {
    const before = await deleteTrustListRow(tx, region)
    if (before === null) throw new ServiceError('not_found', 'There is no trust list of this region.')
    const change = { from: await describeIssuers(before), to: null }
    await recordOperatorAct(tx, call, { what: 'deleteTrustList', ...change, subjectId: region })
  })
  return Reply.empty(204)
}

function renderTrustList({ region, issuers, updated_at }: TrustListRow): OutputOf<Save> {
  return { region, issuers: issuers.map(renderIssuer), updated_at: updated_at.toISOString() }
}

function renderIssuer({ algs, vct_values, jwks, x5c_roots, ...issuer }: TrustListRow['issuers'][number]) {
  return {
    ...issuer,
    algs: [...algs],
    ...(vct_values !== undefined && { vct_values: [...vct_values] }),
    ...(jwks !== undefined && { jwks: { ...jwks } }),
    ...(x5c_roots !== undefined && { x5c_roots: [...x5c_roots] }),
  }
}
