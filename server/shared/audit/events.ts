/**
 * By which means something was done: what a person confirmed it with in the portal, a wallet token, the answer to an RCS
 * message, a setup token, the assertion of a wallet client, the operator's API, a credential from a wallet app, or what the
 * card processor told.
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

/** What was changed, from what to what, and how. */
interface Change<What extends string> {
  readonly what: What
  readonly from: AuditValue
  readonly to: AuditValue
  readonly means: Means
  /** The agent whose token was used, where that is known. */
  readonly token_client_id?: string
  /** The session of the portal that it was done in, by its handle. */
  readonly session?: string
}

/** A change that concerns one agent; null when it concerns all of the person's. */
interface AgentChange<What extends string> extends Change<What> {
  readonly agent_client_id: string | null
}

/** What each audit event tells about itself. No member holds personal data: people are named by their random ids. */
export interface AuditPayloads {
  'oid4ac.mandate.issued': {
    readonly card_mandate_id: string
    readonly setup_intent_id: string
  }
  /** A purchase or a wallet access that a person approved. What the rules allow without an approval leaves none. */
  'oid4ac.consent.approved': AgentChange<'purchase' | 'wallet_access'> & {
    /** Null for wallet access that an earlier approval allows and a mailed link confirmed. */
    readonly authorization_id: string | null
    /** Of what the portal showed; null elsewhere. */
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
  /** A freeze of all spending, a pause of one agent, other limits, or a limit that is lifted once. */
  'oid4ac.limits.changed': AgentChange<
    'spending' | 'agent' | 'limits_raised' | 'limits_lowered' | 'limits_removed' | 'limit_request'
  > & { readonly bump_id?: string }
  /** Another rule about merchants, or about when the person is asked, or a restriction of processing that was lifted. */
  'oid4ac.policy.changed': AgentChange<
    'merchant_rule' | 'merchant_gate' | 'approval_rule' | 'magic_link_gate' | 'processing' | 'age_proof'
  > & {
    readonly merchant_audience: string | null
  }
  /** A setup token that was minted, or the agent that it registered. */
  'oid4ac.agent.connected': AgentChange<'setup_token' | 'agent'> & { readonly setup_token_id: string }
  'oid4ac.agent.revoked': AgentChange<'agent'>
  /** Another card to charge, for all agents or for one, or one less; a new one is a mandate that was issued. */
  'oid4ac.card.changed': Change<'card'> & {
    readonly card_mandate_id: string
    /** The one agent that the card is or was for. */
    readonly agent_client_id?: string
  }
  /** A credential for wallet apps: offered by the person themselves, or revoked. */
  'oid4ac.credential.changed': Change<'credential' | 'credential_offer'> & {
    readonly credential_id: string | null
    readonly offer_id: string | null
  }
  'oid4ac.security.changed': Change<
    'passkey' | 'passkey_requirement' | 'recovery_codes' | 'notifications' | 'phone' | 'email' | 'device' | 'agent_name'
  > & {
    readonly passkey_id: string | null
    /** The agent that has another name for the person. */
    readonly agent_client_id?: string
  }
  /** What the operator did through the API; `what` is the operation's id. */
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

/** What `GET /wallet/audit-chain` lists unless other events are asked for. */
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

/** What concerns the safety of a wallet: who can act for the person, what agents may do and did, and who changed that. */
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

/** Of these, only those of wallet access concern it, and what a token or an answer by phone declined. */
export const DECLINED = 'oid4ac.consent.declined'

/** Approvals in the portal were entries of this name once; chains keep them. */
export const APPROVAL_RECORDED = 'oid4ac.approval.recorded'

/** Who caused the event: a kind and a random id, never a name or an address. */
export interface AuditActor {
  readonly kind: 'agent' | 'wallet_client' | 'principal' | 'processor' | 'operator' | 'service'
  readonly id: string
}

/** One event with its payload, as a verb hands it to the chain. */
export type AuditRecord = {
  [E in AuditEvent]: {
    readonly tenantId: string
    /** The person the event is about; null when it is about none. */
    readonly principalId: string | null
    readonly event: E
    readonly actor: AuditActor
    readonly payload: AuditPayloads[E]
    readonly now: Date
  }
}[AuditEvent]
