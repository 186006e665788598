import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { endErasedCredentials, eraseIssuedCredentials } from '../../credentials/issuance'
import { eraseAskedRequests } from '../../credentials/presentations'
import { erasePhoneCode } from '../../identity/contacts'
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

/** Whom to erase, and for whom it is done. */
export interface Erasure {
  readonly principalId: string
  readonly call: Pick<Call, 'platform' | 'now'>
  readonly now: Date
  readonly actor: AuditActor
  /** The message of this event stays until it is sent. */
  readonly except: string | null
}

type Step = (tx: Transaction, erasure: Erasure) => Promise<unknown>

/**
 * What each owner of tables erases, in an order in which nobody waits for each other in a circle: requests before agents
 * and agents before codes, as those who turn one into the other lock them. Each step is safe to repeat.
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
  phoneCodes: erasePhoneCode,
  mailedLinks: eraseMailedLinks,
  channels: eraseChannels,
  messages: eraseMessages,
  settlements: eraseSettlementKeys,
  replies: eraseReplies,
  profile: eraseProfile,
} as const satisfies Readonly<Record<string, Step>>

/** A step of erasure. Tokens come last, since their end is audited. */
export type ErasureStep = keyof typeof rowSteps | 'tokens'

/** Erases all rows but those of tokens. Returns the agents that this revoked. The caller holds the person's lock. */
export async function eraseRows(tx: Transaction, erasure: Erasure): Promise<readonly string[]> {
  const { requests, agents, ...others } = rowSteps
  await requests(tx, erasure)
  const revoked = await agents(tx, erasure)
  for (const step of Object.values(others)) await step(tx, erasure)
  return revoked
}

/** Revokes all tokens, with an audit entry for each family. Returns how many families. */
export function endTokens(tx: Transaction, erasure: Erasure): Promise<number> {
  return eraseTokens(tx, erasure)
}

/** Publishes that the person's credentials have ended. Last of all, since everybody who revokes waits for the list. */
export function publishEnd(tx: Transaction, erasure: Erasure): Promise<void> {
  return endErasedCredentials(tx, erasure)
}
