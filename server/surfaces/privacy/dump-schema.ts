import * as z from 'zod'
import { timestamp } from '../../base/contract/wire'
import { agentRecord } from '../agents/contract'

export const SCHEMA_VERSION = 1

/** An entry of the tenant's audit chain; its hash covers it as it stands. */
const auditChainEntry = z.strictObject({
  seq: z.int(),
  ts: timestamp,
  event: z.string(),
  tenant_id: z.string(),
  actor: z.strictObject({ kind: z.string(), id: z.string() }),
  payload: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  entry_hash: z.string(),
})

/** The answer of `POST /privacy/dsar/portability`, from which its published JSON Schema is made. */
export const portabilityDump = z.strictObject({
  schema_version: z.literal(SCHEMA_VERSION),
  request_id: z.string(),
  principal: z.strictObject({
    principal_id: z.string(),
    wallet_operator: z.string().meta({ description: 'Name of the wallet client that the person belongs to.' }),
    email: z.string().nullable(),
    display_name: z.string().nullable(),
  }),
  agent_clients: z.array(agentRecord),
  audit_chain_entries: z
    .array(auditChainEntry)
    .meta({ description: 'Everything that the audit chain holds about the person, oldest first.' }),
})
export type PortabilityDump = z.output<typeof portabilityDump>
