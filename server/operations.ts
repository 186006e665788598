import { type AnyOperation, operationsOf } from './base/contract/endpoint'
import * as federation from './credentials/federation'
import * as issuance from './credentials/issuance'
import * as presentations from './credentials/presentations'
import * as trustLists from './credentials/trust-lists'
import * as contacts from './identity/contacts'
import * as payments from './money/payments'
import * as settlement from './money/settlement'
import * as webhooks from './money/webhooks'
import * as authorization from './oauth/authorization'
import * as clients from './oauth/clients'
import * as mandates from './oauth/mandates'
import * as metadata from './oauth/metadata'
import * as tokens from './oauth/tokens'
import * as audit from './shared/audit'
import * as agents from './surfaces/agents'
import * as evidence from './surfaces/evidence'
import * as health from './surfaces/health'
import * as metrics from './surfaces/metrics'
import { descriptionOperations } from './surfaces/openapi'
import * as operator from './surfaces/operator'
import * as privacy from './surfaces/privacy'
import * as sandbox from './surfaces/sandbox'
import * as approvals from './wallet/approvals'
import * as cards from './wallet/cards'
import * as limits from './wallet/limits'
import * as merchantRules from './wallet/merchant-rules'

/** `/openapi.json` is itself listed here, hence the lazy callback. */
export const description = descriptionOperations(() => operations)

/** All operations that are served over HTTP. The lanes, OpenAPI and the architecture test read this table. */
export const operations: readonly AnyOperation[] = [
  health,
  metrics,
  description,
  metadata,
  authorization,
  tokens,
  clients,
  approvals,
  limits,
  contacts,
  agents,
  merchantRules,
  cards,
  payments,
  evidence,
  settlement,
  audit,
  privacy,
  mandates,
  issuance,
  webhooks,
  presentations,
  federation,
  operator,
  trustLists,
  sandbox,
].flatMap((slice) => operationsOf(slice))
