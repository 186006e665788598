import type { Database, Queryable, Transaction } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import type { WireLimits } from '../../wallet/limits/contract'
import type { NewClient } from './store'

/**
 * Consumes the setup token and stores its agent, in one statement, so that one token cannot create two clients. Returns
 * whether this call won.
 */
export async function consumeSetupToken(db: Queryable, tokenHash: string, fresh: NewClient): Promise<boolean> {
  const { client, metadata, registrationTokenHash, keyTail, now } = fresh
  const rows = await db.query<{ id: string }>(
    sql`WITH token AS (
       UPDATE setup_tokens SET consumed_at = ${now}, consumed_by = ${client.id}
        WHERE token_hash = ${tokenHash} AND consumed_at IS NULL AND cancelled_at IS NULL AND expires_at > ${now}
          AND NOT EXISTS (SELECT 1 FROM principal_profiles p WHERE p.id = setup_tokens.principal_id AND (p.erased OR p.processing_restricted))
       RETURNING principal_id, tenant_id)
     INSERT INTO clients (id, kind, tenant_id, principal_id, name, purpose, redirect_uris, grant_types, scope, jwks, metadata,
                          registration_token_hash, key_tail, created_at)
     SELECT ${client.id}, 'agent', tenant_id, principal_id, ${client.name}, ${client.purpose}, ${JSON.stringify(client.redirectUris)}::jsonb,
            ${JSON.stringify(client.grantTypes)}::jsonb, ${JSON.stringify(client.scope)}::jsonb, ${JSON.stringify(client.jwks)}::jsonb,
            ${JSON.stringify(metadata)}::jsonb, ${registrationTokenHash}, ${keyTail}, ${now} FROM token
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

/** Finds the person's setup token by its public id, for the portal's connect page. */
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

/** The most open setup tokens of one person. */
export const OPEN_SETUP_TOKENS_MAX = 20

/**
 * Stores the token unless the person has {@link OPEN_SETUP_TOKENS_MAX} open ones. Needs the person's lock. Returns
 * whether it was stored.
 */
export async function insertSetupToken(tx: Transaction, token: NewSetupToken): Promise<boolean> {
  const { scope, limits } = token
  const rows = await tx.query(
    sql`INSERT INTO setup_tokens (token_hash, id, principal_id, tenant_id, name, purpose, scope, limits, created_at, expires_at)
     SELECT ${token.tokenHash}, ${token.id}, ${token.principalId}, ${token.tenantId}, ${token.name}, ${token.purpose},
            ${scope === null ? null : JSON.stringify(scope)}::jsonb, ${limits === null ? null : JSON.stringify(limits)}::jsonb,
            ${token.now}, ${token.expiresAt}
      WHERE (SELECT count(*) FROM setup_tokens WHERE ${isOpen(token)}) < ${OPEN_SETUP_TOKENS_MAX}
     RETURNING id`,
  )
  return rows.length === 1
}

/** Returns the person's open setup tokens, newest first. */
export function listOpenSetupTokens(db: Queryable, owner: Pick<NewSetupToken, 'principalId' | 'now'>) {
  return db.query<Row<'SetupToken', 'id' | 'name' | 'created_at' | 'expires_at'>>(
    sql`SELECT id, name, created_at, expires_at FROM setup_tokens WHERE ${isOpen(owner)} ORDER BY created_at DESC, id`,
  )
}

/** Returns when the first of the person's open setup tokens expires. */
export async function findFirstExpiry(tx: Transaction, owner: Pick<NewSetupToken, 'principalId' | 'now'>) {
  const [row] = await tx.query<{ at: Date | null }>(
    sql`SELECT min(expires_at) AS at FROM setup_tokens WHERE ${isOpen(owner)}`,
  )
  return row?.at ?? null
}

const isOpen = ({ principalId, now }: Pick<NewSetupToken, 'principalId' | 'now'>): Sql =>
  sql`principal_id = ${principalId} AND consumed_at IS NULL AND cancelled_at IS NULL AND expires_at > ${now}`

/** Cancels a setup token. Returns whether it was neither used nor cancelled before. */
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
