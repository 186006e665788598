import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Acr } from '@/server/base/core/authentication'
import type { HeldToken, WalletCall } from '@/server/base/core/call'
import { sql } from '@/server/base/core/sql'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import type { App } from './app'

/**
 * Returns the call of the same person with a wallet token: by default that of a sandbox session that was opened just
 * now.
 */
export function withToken(call: WalletCall, held: Partial<HeldToken> = {}): WalletCall {
  const { principalId, tenantId } = call.actor
  const isActive = () => Promise.resolve(true)
  const token: HeldToken = { agentClientId: null, mayPay: false, acr: 'phr', authTime: call.now, isActive, ...held }
  return { ...call, actor: { kind: 'wallet', principalId, tenantId, via: 'token', token, session: null } }
}

/** Sets how, and how long ago, the person confirmed what a token was issued for. */
export async function setAuthentication(app: App, token: string, acr: Acr, secondsAgo = 0): Promise<void> {
  const familyId = String(decodeJwt(token).jti).split('.', 1)[0]
  const at = new Date(app.clock.now().getTime() - secondsAgo * 1000)
  await app.platform.db.query(
    sql`UPDATE token_families SET acr = ${acr}, auth_time = ${at} WHERE id = ${familyId ?? ''}`,
  )
}

/** Returns a call of the person in a session of the portal that was opened just now. */
export function withPortal(app: App, principalId: string): WalletCall {
  const now = app.clock.now()
  const session = { id: randomUUID(), method: 'magic_link', authenticatedAt: now } as const
  const actor = { kind: 'wallet', principalId, tenantId: PORTAL_TENANT_ID, via: 'portal', session } as const
  return { platform: app.platform, requestId: randomUUID(), now, actor }
}
