import type { Platform } from '../../base/core/platform'
import { PROCESS_CLOCKS_APART_SECONDS } from '../../base/protocol/lifetimes'
import type { PaymentDetail } from '../../money/payments'
import { type AuditEntry, type InclusionProof, listPurchaseEntries, proveInclusion } from '../../shared/audit'
import type { EvidencePack } from './contract'

interface Purchase {
  readonly payment: PaymentDetail
  readonly authorizationId: string | null
}

type PackedAudit = EvidencePack['audit']

/** The number of attempts. All proofs are made again when a newer checkpoint was signed meanwhile. */
const TRIES = 3

/**
 * Returns the audit entries of a purchase, each with the proof that it is in the tree that the newest checkpoint signs.
 */
export async function collectAudit(platform: Platform, purchase: Purchase): Promise<PackedAudit> {
  const { payment, authorizationId } = purchase
  const { principalId, tenantId, mandateId, mandate, consent } = payment
  const begun = consent?.askedAt ?? mandate.issuedAt
  const since = new Date(begun.getTime() - PROCESS_CLOCKS_APART_SECONDS * 1000)
  const owner = { principalId, tenantId }
  const entries = await listPurchaseEntries(platform.db, owner, { mandateId, authorizationId, since })
  const proofs = await proveAlike(platform, entries)
  const checkpoint = proofs.find((proof) => proof !== null)
  return {
    entries: entries.map((entry, index) => ({ entry, inclusion: renderInclusion(proofs[index] ?? null) })),
    checkpoint: checkpoint === undefined ? null : { ...checkpoint.checkpoint, tree_size: checkpoint.tree_size },
  }
}

function renderInclusion(proof: InclusionProof | null): PackedAudit['entries'][number]['inclusion'] {
  return proof === null ? null : { leaf_index: proof.leaf_index, hashes: [...proof.hashes] }
}

/** Returns one proof for each entry, all against the same checkpoint; null for entries that cannot be proven. */
async function proveAlike(platform: Platform, entries: readonly AuditEntry[]): Promise<(InclusionProof | null)[]> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const proofs = await proveAll(platform, entries)
    const first = proofs.find((proof) => proof !== null)
    if (proofs.every((proof) => proof === null || proof.checkpoint.jws === first?.checkpoint.jws)) return proofs
  }
  return entries.map(() => null)
}

/** Proves the newest entry first, since its checkpoint also covers the others. */
async function proveAll(platform: Platform, entries: readonly AuditEntry[]): Promise<(InclusionProof | null)[]> {
  const proofs: (InclusionProof | null)[] = []
  for (const { tenant_id: tenantId, seq } of entries.toReversed()) {
    proofs.unshift(await proveInclusion(platform, { tenantId, seq }))
  }
  return proofs
}

/** Returns the states of a payment's dispute from the audit chain. */
export function disputesOf({ entries }: PackedAudit): EvidencePack['disputes'] {
  return entries.flatMap(({ entry: { event, payload, ts, seq } }) => {
    const status = payload['dispute_status']
    const isMove =
      event === 'oid4ac.payment.disputed' && (status === 'pending' || status === 'won' || status === 'lost')
    return isMove ? [{ status, at: ts, seq }] : []
  })
}
