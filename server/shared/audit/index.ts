import { operation } from '../../base/contract/endpoint'
import { queryAuditChainEndpoint, readAuditRangeEndpoint } from './contract'
import { queryAuditChain } from './query-audit-chain'
import { readAuditRange } from './read-audit-range'

export { type AuditEntry, type ChainPosition, type ChainVerdict, GENESIS_HASH, hashEntry, verifyChain } from './chain'
export { type CheckpointClaims, checkpointTenant, checkpointTenants, readCheckpoint } from './checkpoint'
export {
  APPROVAL_RECORDED,
  type AuditActor,
  type AuditEvent,
  type AuditPayloads,
  type AuditRecord,
  type AuditValue,
  auditEvents,
  type Means,
} from './events'
export { type EntriesProof, proveEntries } from './prove-entries'
export { type ActivityPage, listAudit } from './query-audit-chain'
export { recordAudit, recordAudits } from './record-audit'
export { meansOf, recordPersonAct } from './record-person-act'
export { auditRevisionSql, listPaymentEntries, type PaymentEntryRow } from './store'

/** GET /audit/{tenant_id}/range. 403 principal_mismatch or insufficient_scope, 429 rate_limited with Retry-After. */
export const readTenantAuditRange = operation(readAuditRangeEndpoint, readAuditRange)
/** GET /wallet/audit-chain. 429 rate_limited with Retry-After. */
export const queryWalletAuditChain = operation(queryAuditChainEndpoint, queryAuditChain)
