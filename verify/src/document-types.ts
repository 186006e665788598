/** The `typ` of each document that the server signs. */
export const SEAL_TYPE = 'evidence-pack+jwt'
export const MANDATE_TYPE = 'dc+sd-jwt'
export const RECEIPT_TYPE = 'payment-receipt+jwt'
export const AUDIT_CHECKPOINT_TYPE = 'audit-checkpoint+jwt'
