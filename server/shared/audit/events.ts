/**
 * The means by which something was done: the person's confirmation in the portal, a wallet token, the answer to an RCS
 * message, a setup token, the assertion of a wallet client, the operator's API, a credential from a wallet app, or an
 * event of the card processor.
 */
export type Means =
  | 'passkey'
  | 'magic_link'
  | 'demo'
  | 'wallet_presentation'
  | 'token'
  | 'callback'
  | 'setup_token'
  | 'client_assertion'
  | 'operator'
  | 'processor'

export type AuditValue =
  | string
  | number
  | boolean
  | null
  | readonly AuditValue[]
  | { readonly [member: string]: AuditValue }

/** A change, with the values before and after and the means. */
interface Change<What extends string> {
  readonly what: What
  readonly from: AuditValue
  readonly to: AuditValue
  readonly means: Means
  /** The agent whose token was used, where it is known. */
  readonly token_client_id?: string
  /** The handle of the portal session in which it was done. */
  readonly session?: string
}

/** A change for one agent, or, with null, for all of the person's. */
interface AgentChange<What extends string> extends Change<What> {
  readonly agent_client_id: string | null
}

/** The payload of each audit event. No member holds personal data: people are named by their random ids. */
export interface AuditPayloads {
  'oid4ac.mandate.issued': {
    readonly card_mandate_id: string
    readonly setup_intent_id: string
  }
  /**
   * An approval by a person of a purchase or wallet access. What the rules allow without an approval has no such entry.
   */
  'oid4ac.consent.approved': AgentChange<'purchase' | 'wallet_access'> & {
    /** Null for wallet access that an earlier approval allows and a mailed link confirmed. */
    readonly authorization_id: string | null
    /** The digest of what the portal showed; null elsewhere. */
    readonly display_digest: string | null
    readonly passkey_id: string | null
  }
  'oid4ac.consent.declined': AgentChange<'purchase' | 'wallet_access'> & { readonly authorization_id: string }
  'oid4ac.payment.succeeded': {
    readonly mandate_id: string
    readonly payment_intent_id: string
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
  }
  'oid4ac.payment.failed': {
    readonly mandate_id: string
    readonly payment_intent_id: string | null
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
    readonly settlement_id: string
    readonly failure_code: string
  }
  'oid4ac.payment.disputed': {
    readonly mandate_id: string
    readonly payment_intent_id: string
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
    readonly dispute_status: 'pending' | 'won' | 'lost'
  }
  /** A refund that the processor made, of a charge that must not stand. */
  'oid4ac.payment.refunded': {
    readonly mandate_id: string
    /** The charge that was refunded; not that of a payment that stands. */
    readonly payment_intent_id: string
    /** The amount and the currency that were charged, which may be others than were ordered. */
    readonly amount_minor: number
    readonly currency: string
    readonly merchant_audience: string
    readonly settlement_id: string
    readonly reason: string
  }
  /** A freeze of all spending, a pause of one agent, a change of limits, or an approved limit request. */
  'oid4ac.limits.changed': AgentChange<
    'spending' | 'agent' | 'limits_raised' | 'limits_lowered' | 'limits_removed' | 'limit_request'
  > & { readonly bump_id?: string }
  /**
   * A change of the rules about merchants or about when the person is asked, or the end of a restriction of processing.
   */
  'oid4ac.policy.changed': AgentChange<
    'merchant_rule' | 'merchant_gate' | 'approval_rule' | 'magic_link_gate' | 'processing' | 'age_proof'
  > & {
    readonly merchant_audience: string | null
  }
  /** The creation of a setup token, or the registration of an agent with it. */
  'oid4ac.agent.connected': AgentChange<'setup_token' | 'agent'> & { readonly setup_token_id: string }
  'oid4ac.agent.revoked': AgentChange<'agent'>
  /**
   * A change of the card that is charged, for all agents or for one, or a removal; a new card is a mandate that was
   * issued.
   */
  'oid4ac.card.changed': Change<'card'> & {
    readonly card_mandate_id: string
    /** The agent that the card is or was bound to. */
    readonly agent_client_id?: string
  }
  /** A change of a credential for wallet apps: offered by the person, or revoked. */
  'oid4ac.credential.changed': Change<'credential' | 'credential_offer'> & {
    readonly credential_id: string | null
    readonly offer_id: string | null
  }
  'oid4ac.security.changed': Change<
    'passkey' | 'passkey_requirement' | 'recovery_codes' | 'notifications' | 'phone' | 'email' | 'device' | 'agent_name'
  > & {
    readonly passkey_id: string | null
    /** The agent that the person renamed. */
    readonly agent_client_id?: string
  }
  /** An operation of the operator through the API; `what` is the operation's id. */
  'oid4ac.operator.acted': Change<string> & { readonly subject_id: string | null }
  'oid4ac.token.revoked': {
    readonly family_id: string
    readonly agent_client_id: string
    readonly reason: string
  }
  'oid4ac.privacy.access': { readonly request_id: string }
  'oid4ac.privacy.erasure': { readonly request_id: string }
}

export type AuditEvent = keyof AuditPayloads

/** The events that `GET /wallet/audit-chain` lists when no events are requested. */
export const defaultAuditEvents = [
  'oid4ac.mandate.issued',
  'oid4ac.payment.succeeded',
  'oid4ac.payment.failed',
  'oid4ac.payment.disputed',
  'oid4ac.token.revoked',
  'oid4ac.privacy.access',
  'oid4ac.privacy.erasure',
] as const satisfies readonly AuditEvent[]

/** Every event name, in the order in which the documentation lists them. */
export const auditEvents = [
  ...defaultAuditEvents,
  'oid4ac.payment.refunded',
  'oid4ac.consent.approved',
  'oid4ac.consent.declined',
  'oid4ac.limits.changed',
  'oid4ac.policy.changed',
  'oid4ac.agent.connected',
  'oid4ac.agent.revoked',
  'oid4ac.card.changed',
  'oid4ac.credential.changed',
  'oid4ac.security.changed',
  'oid4ac.operator.acted',
] as const satisfies readonly AuditEvent[]

/**
 * The events that concern the security of a wallet: who can act for the person, what agents may do and did, and who
 * changed that.
 */
export const securityEvents = [
  'oid4ac.consent.approved',
  'oid4ac.limits.changed',
  'oid4ac.policy.changed',
  'oid4ac.agent.connected',
  'oid4ac.agent.revoked',
  'oid4ac.card.changed',
  'oid4ac.credential.changed',
  'oid4ac.security.changed',
  'oid4ac.operator.acted',
  'oid4ac.token.revoked',
  'oid4ac.mandate.issued',
  'oid4ac.privacy.access',
  'oid4ac.privacy.erasure',
] as const satisfies readonly AuditEvent[]

/**
 * The event of a declined approval. Only some of these concern security: those about wallet access, and those by token
 * or by phone.
 */
export const DECLINED = 'oid4ac.consent.declined'

/** The former name of the entry for an approval in the portal; old chains hold it. */
export const APPROVAL_RECORDED = 'oid4ac.approval.recorded'

/** The party that caused the event: a kind and a random id, never a name or an address. */
export interface AuditActor {
  readonly kind: 'agent' | 'wallet_client' | 'principal' | 'processor' | 'operator' | 'service'
  readonly id: string
}

/** One event with its payload, to be appended to the chain. */
export type AuditRecord = {
  [E in AuditEvent]: {
    readonly tenantId: string
    /** The person that the event is about; null when there is none. */
    readonly principalId: string | null
    readonly event: E
    readonly actor: AuditActor
    readonly payload: AuditPayloads[E]
    readonly now: Date
  }
}[AuditEvent]
