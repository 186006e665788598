import type { JWK } from 'jose'
import type { Context } from '../context.ts'
import { DocumentError, readHeader, verifyWith } from '../documents.ts'
import { isJsonObject, type JsonObject, sha256Base64url } from '../encoding.ts'
import type { SignedTree } from './audit.ts'

const WITNESS_TYPE = 'audit-witness+jwt'

/** A statement about the server's log that another party signed, and the key that the reader trusts for it. */
export interface WitnessStatement {
  readonly jws: string
  readonly key: JWK
}

/** Checks that a witness saw the checkpoint of the pack, or an entry of the pack at the end of the log. */
export async function checkWitness(
  context: Context,
  { witness, tree }: { readonly witness: WitnessStatement; readonly tree: SignedTree | null },
): Promise<void> {
  const { findings } = context
  if (tree === null) return findings.missing('witness', 'There is no checkpoint that the witness could have seen.')
  try {
    if (readHeader(witness.jws).typ !== WITNESS_TYPE) throw new DocumentError(`is not of type ${WITNESS_TYPE}.`)
    const claims = await verifyWith(witness.jws, witness.key)
    const isLog = claims['tenant_id'] === tree.tenantId && claims['log'] === context.issuer
    if (!findings.require('witness', isLog, 'The witness saw another log.')) return
    await compareSighting(context, { claims, tree })
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    findings.wrong('witness', `The statement of the witness ${error.message}`)
  }
}

async function compareSighting(
  { findings, pack }: Context,
  { claims, tree }: { readonly claims: JsonObject; readonly tree: SignedTree },
): Promise<void> {
  const { seq } = claims
  const entry = entriesOf(pack).find((candidate) => candidate['seq'] === seq)
  if (entry !== undefined) {
    const isSame = entry['entry_hash'] === claims['entry_hash']
    if (!findings.require('witness', isSame, `The witness saw another entry ${String(seq)} than the pack has.`)) return
  } else if (seq !== tree.size) {
    return findings.missing('witness', 'The witness saw the log at another entry than those of this pack.')
  }
  const isTree = seq === tree.size && claims['root_hash'] === tree.root
  const isCheckpoint = isTree || claims['checkpoint_hash'] === (await sha256Base64url(tree.jws))
  const isSeen = entry !== undefined || isCheckpoint
  if (!findings.require('witness', isSeen, 'The witness saw another checkpoint of the same size.')) return
  findings.proven('witness', `A witness saw the log as it is in this pack, up to entry ${String(seq)}.`)
}

function entriesOf({ audit }: JsonObject): JsonObject[] {
  const entries = isJsonObject(audit) && Array.isArray(audit['entries']) ? (audit['entries'] as unknown[]) : []
  return entries.flatMap((packed) => (isJsonObject(packed) && isJsonObject(packed['entry']) ? [packed['entry']] : []))
}
