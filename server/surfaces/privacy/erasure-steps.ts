import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { endErasedCredentials, eraseIssuedCredentials } from '../../credentials/issuance'
import { eraseAskedRequests } from '../../credentials/presentations'
import { deletePhoneCode } from '../../identity/contacts'
import { eraseCredentials } from '../../identity/passkeys'
import { eraseSessions } from '../../identity/sessions'
import { eraseSettlementKeys } from '../../money/settlement'
import { eraseCodes, eraseRequests } from '../../oauth/authorization'
import { eraseAgents } from '../../oauth/clients'
import { eraseOffers } from '../../oauth/credential-offers'
import { eraseTokens } from '../../oauth/tokens'
import type { AuditActor } from '../../shared/audit'
import { eraseMailedLinks } from '../../shared/mailed-links'
import { eraseChannels, eraseMessages } from '../../shared/notifications'
import { eraseProfile } from '../../shared/principals'
import { eraseAgeProofs } from '../../wallet/age-proofs'
import { eraseApprovals } from '../../wallet/approvals'
import { eraseCards } from '../../wallet/cards'
import { eraseLimits } from '../../wallet/limits'
import { eraseRules } from '../../wallet/merchant-rules'
import { eraseReplies } from './reply-store'

/** The person to erase, with the call and the actor of the erasure. */
export interface Erasure {
  readonly principalId: string
  readonly call: Pick<Call, 'platform' | 'now'>
  readonly now: Date
  readonly actor: AuditActor
  /** The event of the message that is kept until it is sent; null for none. */
  readonly except: string | null
}

type Step = (tx: Transaction, erasure: Erasure) => Promise<unknown>

/**
 * The steps of erasure by owner of tables, in an order without deadlocks: requests before agents and agents before
 * codes, which is the order in which these are locked elsewhere. Each step is safe to repeat.
 */
const rowSteps = {
  requests: eraseRequests,
  agents: eraseAgents,
  codes: eraseCodes,
  offers: eraseOffers,
  issuedCredentials: eraseIssuedCredentials,
  presentations: eraseAskedRequests,
  ageProofs: eraseAgeProofs,
  approvals: eraseApprovals,
  limits: eraseLimits,
  rules: eraseRules,
  cards: eraseCards,
  sessions: eraseSessions,
  credentials: eraseCredentials,
  phoneCodes: deletePhoneCode,
  mailedLinks: eraseMailedLinks,
  channels: eraseChannels,
  messages: eraseMessages,
  settlements: eraseSettlementKeys,
  replies: eraseReplies,
  profile: eraseProfile,
} as const satisfies Readonly<Record<string, Step>>

/** A step of erasure. Tokens come last, since their end is audited. */
export type ErasureStep = keyof typeof rowSteps | 'tokens'

/** Erases all rows but those of tokens. Returns the agents that it revoked. The caller holds the person's lock. */
export async function eraseRows(tx: Transaction, erasure: Erasure): Promise<readonly string[]> {
  const { requests, agents, ...others } = rowSteps
  await requests(tx, erasure)
  const revoked = await agents(tx, erasure)
  for (const step of Object.values(others)) await step(tx, erasure)
  return revoked
}

/** Revokes all tokens, with an audit entry for each family. Returns the number of families. */
export function endTokens(tx: Transaction, erasure: Erasure): Promise<number> {
  return eraseTokens(tx, erasure)
}

/** Publishes the revocation of the person's credentials. Runs last, since all revocations wait for the status list. */
export function publishEnd(tx: Transaction, erasure: Erasure): Promise<void> {
  return endErasedCredentials(tx, erasure)
}
