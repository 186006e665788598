import { announceChange } from '../../base/core/announce-change'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { decimalAmount } from '../../base/core/money'
import type { Transaction } from '../../base/core/platform'
import type { MandateRow } from '../../oauth/mandates'
import { notify } from '../../shared/notifications'
import { findPrincipal, lockPrincipal } from '../../shared/principals'
import { askOnce, type ExceededLimit, findStop, issueBumpToken, requireNoStop } from '../../wallet/limits'

type SettleCall = Pick<Call, 'platform' | 'now'>

/** How person and agent call the owner of a limit. */
const owners = {
  wallet: { toPerson: 'your', toAgent: "the principal's" },
  agent: { toPerson: "this agent's", toAgent: "the agent's" },
} as const

const limitNames = {
  daily_cap: 'daily limit',
  single_txn_cap: 'limit per payment',
  velocity: 'limit on how many payments',
} as const

/** Opens the request to exceed the limit, tells the person about a new one, and returns the refusal that names it. 403 when spending was stopped meanwhile. */
export async function refuseExceeded(
  { platform, now }: SettleCall,
  mandate: MandateRow,
  exceeded: ExceededLimit,
): Promise<ServiceError> {
  const call = { platform, now }
  const bumpId = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, mandate.principal_id)
    requireNoStop(await findStop(tx, { principalId: mandate.principal_id, clientId: mandate.client_id }))
    const { id, opened } = await askOnce(tx, call, {
      principalId: mandate.principal_id,
      agentClientId: mandate.client_id,
      merchantAudience: mandate.merchant_audience,
      currency: mandate.currency,
      exceeded,
      mandateId: mandate.id,
    })
    if (opened) await notifyExcess(tx, call, { bumpId: id, mandate, exceeded })
    return id
  })
  await announceChange(platform, mandate.principal_id)
  const limit = `${owners[exceeded.scope].toAgent} ${limitNames[exceeded.kind]}`
  return new ServiceError('limit_exceeded', `The payment is above ${limit}.`, {
    members: { limit: exceeded.kind, bump_id: bumpId },
  })
}

interface Excess {
  readonly bumpId: string
  readonly mandate: MandateRow
  readonly exceeded: ExceededLimit
}

async function notifyExcess(tx: Transaction, call: SettleCall, { bumpId, mandate, exceeded }: Excess): Promise<void> {
  const person = await findPrincipal(tx, mandate.principal_id)
  const amount = `${decimalAmount(mandate.amount_minor, mandate.currency)} ${mandate.currency}`
  const limit = `${owners[exceeded.scope].toPerson} ${limitNames[exceeded.kind]}`
  const link = `${call.platform.config.baseUrl}/approvals?tab=limits`
  await notify(tx, call, {
    eventKey: `bump:${bumpId}`,
    principalId: mandate.principal_id,
    email: person === null || person.erased ? null : person.email,
    subject: `A payment of ${amount} is above ${limit}`,
    text:
      `One of your agents wants to pay ${amount} to ${mandate.merchant_audience}. That is above ${limit}, so nothing ` +
      `was charged.\n\nAllow it once, or decline: ${link}`,
    links: [link],
    rcsData: async () => ({ bump_id: bumpId, token: await issueBumpToken(tx, call, bumpId) }),
  })
}
