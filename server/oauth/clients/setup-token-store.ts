import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { sql } from '../../base/core/sql'
import type { WireLimits } from '../../wallet/limits/contract'
import type { NewClient } from './store'

/**
 * Consumes the setup token and stores the agent that it binds, in one statement, so one token can never make two
 * clients. Returns whether this call won.
 */
export async function consumeSetupToken(db: Queryable, tokenHash: string, fresh: NewClient): Promise<boolean> {
  const { client, metadata, registrationTokenHash, now } = fresh
  const rows = await db.query<{ id: string }>(
    sql`WITH token AS (
       UPDATE setup_tokens SET consumed_at = ${now}, consumed_by = ${client.id}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND cancelled_at IS NULL AND expires_at > ${now}
          AND NOT EXISTS (SELECT 1 FROM principal_profiles p WHERE p.id = setup_tokens.principal_id AND (p.erased OR p.processing_restricted))
       RETURNING principal_id, tenant_id)
     INSERT INTO clients (id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata,
                          registration_token_hash, created_at)
     SELECT ${client.id}, 'agent', tenant_id, principal_id, ${client.name}, ${client.purpose}, ${JSON.stringify(client.redirectUris)}::jsonb,
            ${JSON.stringify(client.grantTypes)}::jsonb, ${JSON.stringify(client.scope)}::jsonb, ${JSON.stringify(client.jwks)}::jsonb,
            ${JSON.stringify(metadata)}::jsonb, ${registrationTokenHash}, ${now} FROM token
     RETURNING id`,
  )
  return rows.length === 1
}

const setupTokenColumns = {
  id: true,
  principal_id: true,
  tenant_id: true,
  scope: true,
  name: true,
  purpose: true,
  limits: true,
  expires_at: true,
  consumed_at: true,
  consumed_by: true,
  cancelled_at: true,
} as const

export type SetupTokenRow = Row<
  'SetupToken',
  keyof typeof setupTokenColumns,
  { scope: string[] | null; limits: WireLimits | null }
>

export async function findSetupToken(db: Database, tokenHash: string): Promise<SetupTokenRow | null> {
  const found = await db.prisma.setupToken.findUnique({ select: setupTokenColumns, where: { token_hash: tokenHash } })
  return found === null ? null : rowOf<SetupTokenRow>(found)
}

/** The principal's setup token by its public id, for the portal's connect page. */
export async function findSetupTokenById(db: Database, id: string, principalId: string): Promise<SetupTokenRow | null> {
  const found = await db.prisma.setupToken.findUnique({
    select: setupTokenColumns,
    where: { id, principal_id: principalId },
  })
  return found === null ? null : rowOf<SetupTokenRow>(found)
}

export interface NewSetupToken {
  readonly tokenHash: string
  readonly id: string
  readonly principalId: string
  readonly tenantId: string
  readonly scope: readonly string[] | null
  readonly name: string | null
  readonly purpose: string | null
  readonly limits: WireLimits | null
  readonly now: Date
  readonly expiresAt: Date
}

export async function insertSetupToken(db: Database, token: NewSetupToken): Promise<void> {
  const { scope, limits } = token
  await db.prisma.setupToken.create({
    data: {
      token_hash: token.tokenHash,
      id: token.id,
      principal_id: token.principalId,
      tenant_id: token.tenantId,
      name: token.name,
      purpose: token.purpose,
      ...(scope === null ? {} : { scope }),
      ...(limits === null ? {} : { limits }),
      created_at: token.now,
      expires_at: token.expiresAt,
    },
  })
}

/** Returns whether the token was neither used nor cancelled before. */
export async function saveSetupTokenCancelled(
  db: Database,
  id: string,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<boolean> {
  const { count } = await db.prisma.setupToken.updateMany({
    where: { id, principal_id: principalId, consumed_at: null, cancelled_at: null },
    data: { cancelled_at: now },
  })
  return count === 1
}
