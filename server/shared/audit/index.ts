import { operation } from '../../base/contract/endpoint'
import {
  proveAuditConsistencyEndpoint,
  proveAuditEntryEndpoint,
  proveOwnEntryEndpoint,
  queryAuditChainEndpoint,
  readAuditCheckpointEndpoint,
  readAuditRangeEndpoint,
} from './contract'
import { queryAuditChain } from './query-audit-chain'
import { readAuditRange } from './read-audit-range'
import { proveAuditConsistency, proveAuditEntry, proveOwnEntry, readAuditCheckpoint } from './read-proofs'

export {
  type AuditEntry,
  CHAIN_START,
  type ChainPosition,
  type ChainVerdict,
  GENESIS_HASH,
  hashEntry,
  verifyChain,
} from './chain'
export { type CheckpointClaims, logOrigin, readCheckpoint } from './checkpoint'
export { readCheckpointLag } from './checkpoint-store'
export { checkpointBusyTenants, checkpointTenant, checkpointTenants } from './checkpoint-tenant'
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
export { type ConsistencyProof, type InclusionProof, proveConsistency, proveInclusion } from './prove-inclusion'
export { type ActivityPage, listAudit } from './query-audit-chain'
export { proveOwnEntry } from './read-proofs'
export { lockHeads, recordAudit, recordAudits } from './record-audit'
export { recordOperatorAct } from './record-operator-act'
export { meansOf, recordPersonAct } from './record-person-act'
export {
  auditRevisionSql,
  listEveryPrincipalEntry,
  listPaymentEntries,
  listPurchaseEntries,
  type PaymentEntryRow,
} from './store'

/** GET /audit/{tenant_id}/range. 403 principal_mismatch or insufficient_scope, 429 rate_limited with Retry-After. */
export const readTenantAuditRange = operation(readAuditRangeEndpoint, readAuditRange)
/** GET /wallet/audit-chain. 429 rate_limited with Retry-After. */
export const queryWalletAuditChain = operation(queryAuditChainEndpoint, queryAuditChain)
/** GET /audit/{tenant_id}/checkpoint. Refusals as those of the range. */
export const readTenantCheckpoint = operation(readAuditCheckpointEndpoint, readAuditCheckpoint)
/** GET /audit/{tenant_id}/proof. 404 for no such entry, 409 when the chain does not match its signed checkpoint. */
export const proveTenantEntry = operation(proveAuditEntryEndpoint, proveAuditEntry)
/** GET /audit/{tenant_id}/consistency. 404 when the chain is shorter, 409 when it does not match its signed checkpoint. */
export const proveTenantConsistency = operation(proveAuditConsistencyEndpoint, proveAuditConsistency)
/** GET /wallet/audit-chain/{seq}/proof. 404 for entries about others as well. */
export const proveWalletEntry = operation(proveOwnEntryEndpoint, proveOwnEntry)
