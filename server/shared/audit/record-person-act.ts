import type { WalletActor } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { sessionHandle } from '../../base/protocol/session-handle'
import type { AuditRecord, Means } from './events'
import { recordAudit } from './record-audit'

/** By which means a person acts who confirms nothing beyond their session or token; without either the operator acts. */
export function meansOf({ via, session }: Pick<WalletActor, 'via' | 'session'>): Means {
  return via === 'token' ? 'token' : (session?.method ?? 'operator')
}

type ActOf<R> = R extends AuditRecord & { readonly payload: { readonly means: Means } }
  ? Pick<R, 'event' | 'payload'>
  : never

interface Person extends Pick<WalletActor, 'principalId' | 'tenantId'>, Partial<Pick<WalletActor, 'session'>> {
  /** The token that they act with, where its holder is known: null is a session of their own. */
  readonly token?: { readonly agentClientId: string | null }
}

/** Appends what a person did. Call it last in the transaction, as `recordAudit`. */
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
