import type { BackendActor } from '../../base/core/call'

/** Owns the requests that were made without a credential in an open sandbox. No wallet client has this id. */
const UNIDENTIFIED = 'unidentified'

/** Returns what owns the caller's requests; null for the operator, who sees those of others too. */
export const ownerOf = ({ client, isUnidentified }: BackendActor): string | null =>
  isUnidentified ? UNIDENTIFIED : (client?.id ?? null)
