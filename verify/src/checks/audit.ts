import { type Context, canonicalMerchant, noteMoment, openDocument, readPart } from '../context.ts'
import { AUDIT_CHECKPOINT_TYPE } from '../document-types.ts'
import {
  canonicalJson,
  decodeBase64,
  decodeBase64url,
  digestOf,
  encodeBase64,
  isJsonObject,
  type JsonObject,
} from '../encoding.ts'
import { hashLeaf, provesInclusion } from '../merkle-tree.ts'
import { openNote } from '../signed-note.ts'
import { isConfirmedByLink } from './approval.ts'

const MEMBERS = ['actor', 'entry_hash', 'event', 'payload', 'prev_hash', 'seq', 'tenant_id', 'ts']
const NOTHING_SHOWN = 'that the server logged the purchase is not shown.'

/** The content of a checkpoint that was verified. */
export interface SignedTree {
  readonly tenantId: string
  readonly size: number
  /** The root of the tree, base64url. */
  readonly root: string
  readonly jws: string
}

/**
 * Checks the entries of the audit log about the purchase: that each is in the tree that a checkpoint signs. Returns
 * that tree; null when it is missing or does not verify.
 */
export async function checkAudit(context: Context): Promise<SignedTree | null> {
  const part = readPart(context, 'audit', NOTHING_SHOWN)
  if (part === null) return null
  const { findings } = context
  const entries = Array.isArray(part['entries']) ? (part['entries'] as unknown[]) : []
  const tree = await readCheckpoint(context, part['checkpoint'])
  for (const packed of entries) {
    if (isJsonObject(packed) && isJsonObject(packed['entry']))
      await checkEntry(context, { packed, entry: packed['entry'], tree })
    else findings.wrong('audit', 'An entry is not as packs have it.')
  }
  const logged = entries.flatMap((packed) =>
    isJsonObject(packed) && isJsonObject(packed['entry']) ? [packed['entry']] : [],
  )
  requireOrder(context, logged)
  comparePayment(context, logged)
  compareApproval(context, logged)
  compareDisputes(context, logged)
  const isWhole =
    tree !== null && logged.length > 0 && !findings.has('audit', 'wrong') && !findings.has('audit', 'missing')
  if (isWhole)
    findings.proven('audit', `The ${logged.length} entries about this purchase are in the server's append-only log.`)
  return tree
}

async function readCheckpoint(context: Context, checkpoint: unknown): Promise<SignedTree | null> {
  const { findings, issuer } = context
  if (!isJsonObject(checkpoint)) {
    findings.missing('audit', 'There is no checkpoint: that the entries are in the log is not shown.')
    return null
  }
  const { jws, note, tree_size: size } = checkpoint
  const document = await openDocument(context, 'audit', { jws, typ: AUDIT_CHECKPOINT_TYPE, name: 'checkpoint' })
  if (document === null) return null
  const { payload, kid } = document
  const { iss, tenant_id: tenantId, root_hash: root, seq, iat } = payload
  findings.require('audit', iss === issuer, 'The checkpoint is of another server.')
  const isTree =
    typeof root === 'string' && typeof tenantId === 'string' && payload['tree_size'] === seq && seq === size
  if (!findings.require('audit', isTree, 'The checkpoint states another tree.') || !isTree) return null
  noteMoment(context, 'audit', 'the checkpoint was signed', iat)
  const tree = { tenantId, size: Number(size), root, jws: String(jws) }
  await checkNote(context, { note, tree, kid })
  return tree
}

async function checkNote(
  { findings, issuer, keys }: Context,
  { note, tree, kid }: { readonly note: unknown; readonly tree: SignedTree; readonly kid: string },
): Promise<void> {
  if (typeof note !== 'string') return findings.missing('audit', 'The signed note of the checkpoint was left out.')
  const head = await openNote(note, keys?.find(kid) ?? {})
  const origin = `${issuer?.replace(/^https?:\/\//, '')}/audit/${encodeURIComponent(tree.tenantId)}`
  const isSame =
    head?.origin === origin && head.size === tree.size && head.root === encodeBase64(decodeBase64url(tree.root))
  findings.require(
    'audit',
    isSame && decodeBase64(head.root).length === 32,
    'The signed note is not of this checkpoint.',
  )
}

interface PackedEntry {
  readonly packed: JsonObject
  readonly entry: JsonObject
  readonly tree: SignedTree | null
}

async function checkEntry({ findings }: Context, { packed, entry, tree }: PackedEntry): Promise<void> {
  const { entry_hash: hash, ...hashed } = entry
  const seq = Number(entry['seq'])
  const isWhole = Object.keys(entry).toSorted().join() === MEMBERS.join()
  findings.require('audit', isWhole, `Entry ${seq} has other members than entries have.`)
  if (!findings.require('audit', hash === (await digestOf(hashed)), `Entry ${seq} does not match its hash.`)) return
  if (tree === null) return
  findings.require('audit', entry['tenant_id'] === tree.tenantId, `Entry ${seq} is of another log.`)
  const { inclusion } = packed
  if (!isJsonObject(inclusion)) return findings.missing('audit', `Entry ${seq} has no proof that it is in the log.`)
  const isIn = inclusion['leaf_index'] === seq - 1 && (await isIncluded(inclusion, { hash: String(hash), tree }))
  findings.require('audit', isIn, `Entry ${seq} is not in the log that the checkpoint signs.`)
}

async function isIncluded(inclusion: JsonObject, { hash, tree }: { readonly hash: string; readonly tree: SignedTree }) {
  try {
    const hashes = Array.isArray(inclusion['hashes'])
      ? inclusion['hashes'].map((text) => decodeBase64url(String(text)))
      : []
    const leaf = await hashLeaf(decodeBase64url(hash))
    const root = decodeBase64url(tree.root)
    return await provesInclusion({ index: Number(inclusion['leaf_index']), size: tree.size, leaf, proof: hashes, root })
  } catch {
    return false
  }
}

function requireOrder({ findings }: Context, entries: readonly JsonObject[]): void {
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1]
    if (before === undefined) continue
    const isLater = Number(entry['seq']) > Number(before['seq']) && String(entry['ts']) >= String(before['ts'])
    const isNext = Number(entry['seq']) === Number(before['seq']) + 1
    const isLinked = !isNext || entry['prev_hash'] === before['entry_hash']
    findings.require('audit', isLater && isLinked, `Entry ${String(entry['seq'])} does not follow the one before it.`)
  }
}

const payloadOf = ({ payload }: JsonObject): JsonObject => (isJsonObject(payload) ? payload : {})
const ofEvent = (entries: readonly JsonObject[], event: string) => entries.filter((entry) => entry['event'] === event)

function comparePayment({ findings }: Context, entries: readonly JsonObject[]): void {
  const paid = ofEvent(entries, 'oid4ac.payment.succeeded')
  if (paid.length === 0) return findings.missing('audit', 'The entry about the payment was left out.')
  findings.require('audit', paid.length === 1, 'The log tells of more than one charge for this mandate.')
  for (const entry of [...paid, ...ofEvent(entries, 'oid4ac.payment.disputed')]) {
    const payload = payloadOf(entry)
    findings.fact('audit', 'amount', payload['amount_minor'])
    findings.fact('audit', 'currency', payload['currency'])
    findings.fact('audit', 'merchant', canonicalMerchant(payload['merchant_audience']))
    findings.fact('audit', 'mandate id', payload['mandate_id'])
    findings.fact('audit', 'payment id', payload['payment_intent_id'])
  }
  const [charged] = paid
  if (charged !== undefined && isJsonObject(charged['actor'])) findings.fact('audit', 'agent', charged['actor']['id'])
}

/** Checks that the log holds the approval, with the digest of what was shown. */
function compareApproval({ pack, findings }: Context, entries: readonly JsonObject[]): void {
  const { approval } = pack
  const approved = ofEvent(entries, 'oid4ac.consent.approved')
  if (!isJsonObject(approval)) return
  if (approval['kind'] === 'rule') {
    findings.require('audit', approved.length === 0, 'The log tells of an approval.')
    return
  }
  const [entry] = approved
  if (entry === undefined) return findings.missing('audit', 'The entry about the approval was left out.')
  const isSame = approved.length === 1 && isEntryOf(approval, entry)
  findings.require('audit', isSame, 'The log tells of another approval.')
  findings.fact('audit', 'agent', payloadOf(entry)['agent_client_id'])
  const isPerson = isJsonObject(entry['actor']) && approval['kind'] !== 'no_evidence'
  if (isPerson && isJsonObject(entry['actor'])) findings.fact('audit', 'person', entry['actor']['id'])
}

function isEntryOf(approval: JsonObject, entry: JsonObject): boolean {
  const payload = payloadOf(entry)
  const members = ['authorization_id', 'display_digest', 'passkey_id']
  const isSame = members.every((name) => payload[name] === (approval[name] ?? null))
  const means = isConfirmedByLink(approval) ? 'magic_link' : approval['kind']
  const isByMeans = means === 'no_evidence' || payload['means'] === means
  return isSame && isByMeans && Date.parse(String(entry['ts'])) >= Date.parse(String(approval['decided_at']))
}

/** Checks that the dispute's steps are those in the log. */
function compareDisputes({ pack, findings }: Context, entries: readonly JsonObject[]): void {
  const { disputes, payment } = pack
  if (disputes === undefined) {
    return findings.missing('disputes', 'The pack has no disputes: whether there was one is not shown.')
  }
  const logged = ofEvent(entries, 'oid4ac.payment.disputed').map((entry) => ({
    status: String(payloadOf(entry)['dispute_status']),
    at: entry['ts'] ?? null,
    seq: entry['seq'] ?? null,
  }))
  const isSame = canonicalJson(logged) === canonicalJson(disputes)
  findings.require('disputes', isSame, 'The disputes are not those that the log tells of.')
  const last = logged.at(-1)?.status
  const status = last === undefined ? 'succeeded' : `disputed_${last}`
  if (!isJsonObject(payment)) return
  const isStatus = payment['status'] === status
  findings.require('payment', isStatus, 'The status of the payment is not the one that the log tells of.')
  const told = last === undefined ? 'The payment was not disputed' : `The payment was disputed: ${last}`
  if (findings.has('seal', 'proven')) findings.stated('disputes', `${told}, by the server's records at that time.`)
}
