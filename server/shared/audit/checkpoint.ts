import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import { decodeJws } from '../../base/protocol/eddsa'
import type { JsonObject } from '../../base/protocol/encoding'
import { ensure } from '../../base/protocol/errors'
import { type DocumentVerification, signDocument, verifyDocument } from '../../base/protocol/jws'
import { signNote, writeTreeHead } from '../../base/protocol/signed-note'
import type { ChainPosition } from './chain'

const CHECKPOINT_TYPE = 'audit-checkpoint+jwt'

/** The claims of a checkpoint: at `iat`, the chain of `tenant_id` held entry `seq`, whose hash covers all before it. */
export interface CheckpointClaims {
  readonly iss: string
  readonly tenant_id: string
  readonly seq: number
  readonly entry_hash: string
  /** The root of the Merkle tree over all `seq` entries; null in checkpoints from before the tree was introduced. */
  readonly root_hash: string | null
  readonly iat: number
}

/** Reads a checkpoint and checks its type and signature; throws a ProtocolError when this server did not sign it. */
export async function readCheckpoint(jws: string, findKey: DocumentVerification['findKey']): Promise<CheckpointClaims> {
  const { payload } = await verifyDocument(jws, { name: 'checkpoint', typ: CHECKPOINT_TYPE, findKey })
  return toClaims(payload)
}

/** Returns whether the key of this server's checkpoint is still trusted: it was not blocked. */
export function isVouchedFor({ keys }: Pick<Platform, 'keys'>, { jws }: { readonly jws: string }): boolean {
  const { kid } = decodeJws(jws).header
  return kid !== undefined && keys.find('audit', kid) !== undefined
}

/** Returns the claims of this server's checkpoint without checking its signature. */
export function readUnvouchedCheckpoint(jws: string): CheckpointClaims {
  return toClaims(decodeJws(jws).payload)
}

function toClaims(payload: JsonObject): CheckpointClaims {
  const { iss, tenant_id, seq, entry_hash, iat, tree_size: size, root_hash: root } = payload
  const isWhole = typeof iss === 'string' && typeof tenant_id === 'string' && typeof entry_hash === 'string'
  ensure(isWhole, 'malformed', 'The checkpoint lacks a claim')
  const hasTree = typeof root === 'string'
  ensure(!hasTree || size === seq, 'malformed', 'The checkpoint states a tree of another size')
  return { iss, tenant_id, seq: Number(seq), entry_hash, iat: Number(iat), root_hash: hasTree ? root : null }
}

/** Returns the name of a tenant's chain as a transparency log: an address without scheme. */
export function logOrigin(issuer: string, tenantId: string): string {
  return `${issuer.replace(/^https?:\/\//, '')}/audit/${encodeURIComponent(tenantId)}`
}

/** Tells the operator that a chain was tampered with or damaged, so that no checkpoint was signed at an entry. */
export function noteBrokenChain(
  { log, telemetry }: Platform,
  { tenantId, seq }: { readonly tenantId: string; readonly seq: number },
): void {
  log.error('audit chain does not verify; no checkpoint signed', { tenantId, seq })
  telemetry.count('brokenChains', {})
}

/** Signs the end of a chain and the root of its tree, both as JWS and as C2SP checkpoint, with the same key. */
export async function signCheckpoint(
  { keys, config, clock }: Platform,
  tenantId: string,
  { seq, entryHash, root }: ChainPosition & { root: Buffer },
): Promise<{ seq: number; jws: string; note: string }> {
  const key = keys.current('audit')
  const payload = {
    iss: config.baseUrl,
    tenant_id: tenantId,
    seq,
    entry_hash: entryHash,
    tree_size: seq,
    root_hash: root.toString('base64url'),
    iat: epochSeconds(clock.now()),
  }
  const origin = logOrigin(config.baseUrl, tenantId)
  return {
    seq,
    jws: await signDocument({ typ: CHECKPOINT_TYPE, payload, key }),
    note: signNote(writeTreeHead({ origin, size: seq, root }), origin, key),
  }
}
