/** What each audit event tells about itself. No member holds personal data: people are named by their random ids. */
export interface AuditPayloads {
  'oid4ac.mandate.issued': {
    readonly card_mandate_id: string
    readonly setup_intent_id: string
  }
  'oid4ac.approval.recorded': {
    readonly authorization_id: string
    readonly method: 'passkey' | 'magic_link' | 'demo'
    readonly display_digest: string
    readonly passkey_id: string | null
  }
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
  /** A freeze of all spending or a pause of one agent, begun or lifted. */
  'oid4ac.limits.changed': {
    readonly what: 'spending' | 'agent'
    readonly agent_client_id: string | null
    readonly from: 'active' | 'frozen' | 'paused'
    readonly to: 'active' | 'frozen' | 'paused'
    readonly via: 'portal' | 'token'
  }
  'oid4ac.token.revoked': {
    readonly family_id: string
    readonly agent_client_id: string
    readonly reason: string
  }
  'oid4ac.privacy.access': { readonly request_id: string }
  'oid4ac.privacy.erasure': { readonly request_id: string }
  'oid4ac.privacy.rectification': { readonly request_id: string; readonly fields: readonly string[] }
  'oid4ac.privacy.portability': { readonly request_id: string }
  'oid4ac.privacy.restriction': { readonly request_id: string }
  'oid4ac.privacy.objection': { readonly request_id: string }
}

export type AuditEvent = keyof AuditPayloads

/** Every event name, in the order in which the documentation lists them. */
export const auditEvents = [
  'oid4ac.mandate.issued',
  'oid4ac.approval.recorded',
  'oid4ac.payment.succeeded',
  'oid4ac.payment.failed',
  'oid4ac.payment.disputed',
  'oid4ac.limits.changed',
  'oid4ac.token.revoked',
  'oid4ac.privacy.access',
  'oid4ac.privacy.erasure',
  'oid4ac.privacy.rectification',
  'oid4ac.privacy.portability',
  'oid4ac.privacy.restriction',
  'oid4ac.privacy.objection',
] as const satisfies readonly AuditEvent[]

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
