import type { Call } from '../core/call'
import { ServiceError } from '../core/errors'
import { decimalAmount } from '../core/money'
import type { Transaction } from '../core/platform'
import { askOnce, type ExceededLimit, issueBumpToken } from '../limits'
import type { MandateRow } from '../mandates'
import { notify } from '../notifications'

type Surroundings = Pick<Call, 'platform' | 'now'>

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

/** Opens the request to exceed the limit, tells the person about a new one, and returns the refusal that names it. */
export async function refuseExceeded(
  { platform, now }: Surroundings,
  mandate: MandateRow,
  exceeded: ExceededLimit,
): Promise<ServiceError> {
  const call = { platform, now }
  const bumpId = await platform.db.transaction(async (tx) => {
    const { id, opened } = await askOnce(tx, call, {
      principalId: mandate.principal_id,
      agentClientId: mandate.client_id,
      merchantAudience: mandate.merchant_audience,
      currency: mandate.currency,
      exceeded,
      mandateId: mandate.id,
    })
    if (opened) await tellPerson(tx, call, { bumpId: id, mandate, exceeded })
    return id
  })
  await platform.cache.publish(`principal:${mandate.principal_id}`)
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

async function tellPerson(tx: Transaction, call: Surroundings, { bumpId, mandate, exceeded }: Excess): Promise<void> {
  const [person] = await tx.query<{ email: string | null }>(
    'SELECT email FROM principals WHERE id = $1 AND NOT erased',
    [mandate.principal_id],
  )
  const amount = `${decimalAmount(mandate.amount_minor, mandate.currency)} ${mandate.currency}`
  const limit = `${owners[exceeded.scope].toPerson} ${limitNames[exceeded.kind]}`
  const link = `${call.platform.config.baseUrl}/approvals?tab=limits`
  await notify(tx, call, {
    eventKey: `bump:${bumpId}`,
    principalId: mandate.principal_id,
    email: person?.email ?? null,
    subject: `A payment of ${amount} is above ${limit}`,
    text:
      `One of your agents wants to pay ${amount} to ${mandate.merchant_audience}. That is above ${limit}, so nothing ` +
      `was charged.\n\nAllow it once, or decline: ${link}`,
    links: [link],
    rcsData: async () => ({ bump_id: bumpId, token: await issueBumpToken(tx, call, bumpId) }),
  })
}
