import type { Actor } from './call'

/** Returns the caller as log lines name it: by kind and random ids, without personal data. */
export function callerOf(actor: Actor): Readonly<Record<string, string>> {
  const caller = actor.kind
  if (actor.kind === 'client') return { caller, clientId: actor.client.id }
  if (actor.kind === 'backend' && actor.client !== null) return { caller, clientId: actor.client.id }
  if (actor.kind === 'agent') return { caller, clientId: actor.clientId, principalId: actor.principalId }
  if (actor.kind !== 'wallet') return { caller }
  const clientId = actor.via === 'token' ? actor.token.agentClientId : null
  return { caller, principalId: actor.principalId, ...(clientId === null ? {} : { clientId }) }
}
