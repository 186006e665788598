import * as agents from './agents'
import * as audit from './audit'
import * as authorization from './authorization'
import * as cards from './cards'
import * as clients from './clients'
import * as consent from './consent'
import { type AnyOperation, operationsOf } from './contract/endpoint'
import * as health from './health'
import * as limits from './limits'
import * as metadata from './metadata'
import * as notifications from './notifications'
import { descriptionOperations } from './openapi'
import * as operator from './operator'
import * as par from './par'
import * as payments from './payments'
import * as policy from './policy'
import * as sandbox from './sandbox'
import * as settlement from './settlement'
import * as statusList from './status-list'
import * as tokens from './tokens'
import * as webhooks from './webhooks'

/** The API describes itself from the table that it is part of. */
export const description = descriptionOperations(() => operations)

/** Every operation that is served over HTTP, once. The lanes, OpenAPI and the architecture test read this table. */
export const operations: readonly AnyOperation[] = [
  health,
  description,
  metadata,
  par,
  authorization,
  tokens,
  clients,
  consent,
  limits,
  notifications,
  agents,
  policy,
  cards,
  payments,
  settlement,
  audit,
  statusList,
  webhooks,
  operator,
  sandbox,
].flatMap((slice) => operationsOf(slice))
