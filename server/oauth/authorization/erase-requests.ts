import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'

/**
 * Deletes what the person's agents asked for: pushed requests and mailed links that confirm one. Before the agents are
 * locked: what turns a request into a code locks the request first.
 */
export async function eraseRequests(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM pushed_requests WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId}`)
}

/** Deletes the codes of the person's agents, once the agents are locked: what redeems one locks the agent first. */
export async function eraseCodes(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM authorization_codes WHERE principal_id = ${principalId}`)
}
