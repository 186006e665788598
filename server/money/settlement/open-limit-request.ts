import { announceChange } from '../../base/core/announce-change'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import type { MandateRow } from '../../oauth/mandates'
import { type MessageText, notify, shopName, type Words } from '../../shared/notifications'
import { findPrincipal, lockPrincipal } from '../../shared/principals'
import {
  bumpEnd,
  describeExceeds,
  type Exceeds,
  findStop,
  issueBumpToken,
  openBumpOfSettlement,
  requireNoStop,
} from '../../wallet/limits'
import { isListedAudience } from '../../wallet/merchants'
import { buildRevokedMandateError } from './admission'
import { isAuthorityActive } from './authority-store'
import { agreedItemsSql } from './store'

type SettleCall = Pick<Call, 'platform' | 'now'>

/** The words for a limit's owner and kind in the answer to the agent. */
const owners = { wallet: "the principal's", agent: "the agent's" } as const
const limitNames = {
  daily_cap: 'daily limit',
  weekly_cap: 'weekly limit',
  monthly_cap: 'monthly limit',
  single_txn_cap: 'limit per payment',
  velocity: 'limit on how many payments',
} as const

/**
 * Opens one limit request for all limits that the payment exceeded, notifies the person of a new one, and returns the
 * refusal that names it. Throws 403 when spending was stopped meanwhile, 401 when the mandate was revoked.
 */
export async function openLimitRequest(
  { platform, now }: SettleCall,
  mandate: MandateRow,
  exceeds: Exceeds,
): Promise<ServiceError> {
  const call = { platform, now }
  const bumpId = await platform.db.transaction(async (tx) => {
    await lockPrincipal(tx, mandate.principal_id)
    if (!(await isAuthorityActive(tx, mandate.id))) throw buildRevokedMandateError()
    requireNoStop(await findStop(tx, { principalId: mandate.principal_id, clientId: mandate.client_id }))
    const { id, opened } = await openBumpOfSettlement(tx, call, {
      principalId: mandate.principal_id,
      agentClientId: mandate.client_id,
      merchantAudience: mandate.merchant_audience,
      currency: mandate.currency,
      amountMinor: mandate.amount_minor,
      items: agreedItemsSql(sql`${mandate.family_id}`),
      exceeds,
      mandateId: mandate.id,
    })
    if (opened) await notifyExcess(tx, call, { bumpId: id, mandate, exceeds })
    return id
  })
  await announceChange(platform, mandate.principal_id)
  const limits = exceeds.map(({ scope, kind }) => `${owners[scope]} ${limitNames[kind]}`)
  return new ServiceError('limit_exceeded', `The payment is above ${limits.join(' and ')}.`, {
    members: { limit: exceeds[0].kind, bump_id: bumpId },
  })
}

interface Excess {
  readonly bumpId: string
  readonly mandate: MandateRow
  readonly exceeds: Exceeds
}

async function notifyExcess(tx: Transaction, call: SettleCall, { bumpId, mandate, exceeds }: Excess): Promise<void> {
  const person = await findPrincipal(tx, mandate.principal_id)
  const verified = await isListedAudience(tx, mandate.merchant_audience, call.now)
  const link = `${call.platform.config.baseUrl}/approve/limit/${encodeURIComponent(bumpId)}`
  await notify(tx, call, {
    eventKey: `bump:${bumpId}`,
    isRequest: true,
    principalId: mandate.principal_id,
    email: person === null || person.erased ? null : person.email,
    compose: (words) => composeText(words, { mandate, exceeds, verified, link }),
    links: [link],
    push: {
      details: {
        kind: 'limit',
        amountMinor: mandate.amount_minor,
        currency: mandate.currency,
        shop: { name: null, audience: mandate.merchant_audience, verified: false },
      },
      expiresAt: bumpEnd(call.now),
    },
    rcsData: async () => ({ bump_id: bumpId, token: await issueBumpToken(tx, call, bumpId) }),
  })
}

interface ExcessDetails extends Pick<Excess, 'mandate' | 'exceeds'> {
  /** Whether the directory lists the merchant. */
  readonly verified: boolean
  readonly link: string
}

function composeText(words: Words, { mandate, exceeds, verified, link }: ExcessDetails): MessageText {
  const { excess, shop } = words.requests
  const { merchant_audience: audience, amount_minor: amountMinor, currency } = mandate
  const amount = words.money(amountMinor, currency)
  const facts = [shop(audience, verified), describeExceeds(exceeds, currency, words)]
  return {
    subject: excess.subject(amount),
    text: `${excess.wish(amount, shopName({ name: null, audience, verified }))}\n\n${facts.join('\n')}\n\n${excess.decide(link)}`,
  }
}
