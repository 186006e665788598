import type { WalletActor } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { sessionHandle } from '../../base/protocol/session-handle'
import type { AuditRecord, Means } from './events'
import { recordAudit } from './record-audit'

/**
 * Returns the means of an act that needs no confirmation beyond a session or token; without either it is the
 * operator's.
 */
export function meansOf({ via, session }: Pick<WalletActor, 'via' | 'session'>): Means {
  return via === 'token' ? 'token' : (session?.method ?? 'operator')
}

type ActOf<R> = R extends AuditRecord & { readonly payload: { readonly means: Means } }
  ? Pick<R, 'event' | 'payload'>
  : never

interface Person extends Pick<WalletActor, 'principalId' | 'tenantId'>, Partial<Pick<WalletActor, 'session'>> {
  /** The token in use, by its agent; null for a sandbox session of the person's own. Absent without a token. */
  readonly token?: { readonly agentClientId: string | null }
}

/** Records what a person did. Call it last in the transaction, as `recordAudit`. */
export function recordPersonAct(
  tx: Transaction,
  { actor, now }: { readonly actor: Person; readonly now: Date },
  act: ActOf<AuditRecord>,
): Promise<void> {
  const { principalId, tenantId } = actor
  const by = { kind: 'principal', id: principalId }
  const holder = actor.token?.agentClientId ?? null
  const payload = {
    ...act.payload,
    ...(holder !== null && { token_client_id: holder }),
    ...(actor.session != null && { session: sessionHandle(actor.session.id) }),
  }
  return recordAudit(tx, { ...act, payload, tenantId, principalId, actor: by, now } as AuditRecord)
}
