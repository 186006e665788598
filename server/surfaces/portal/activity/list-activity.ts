import type * as z from 'zod'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { APPROVAL_RECORDED, type AuditEntry, type EntriesProof, listAudit, proveEntries } from '../../../shared/audit'
import { type ActivityNames, findActivityNames } from '../shared/activity-names'
import { entryFacts, text } from '../shared/entry-facts'
import type { activityFilter, listActivityProcedure } from './contract'
import type { ActivityEntry, ActivityProof, ActivityView, EntryState } from './view'

const PAGE_ENTRIES = 50

/** Returns one page of audit entries, newest first, with the result of verifying their part of the chain. */
export async function listActivity(
  call: WalletCall,
  input: ProcedureInput<typeof listActivityProcedure>,
): Promise<ActivityView> {
  const { platform, actor } = call
  const found = await listAudit(call, {
    events: eventsOf(input),
    clientId: input.agent,
    beforeSeq: input.before,
    limit: PAGE_ENTRIES + 1,
  })
  const entries = found.slice(0, PAGE_ENTRIES)
  const [proof, names] = await Promise.all([
    proveEntries(platform, actor.tenantId, entries),
    findActivityNames(platform.db, actor.principalId, entries),
  ])
  return {
    entries: entries.map((entry) => renderEntry(entry, names, stateOf(entry.seq, proof))),
    next_before: found.length > PAGE_ENTRIES ? (entries.at(-1)?.seq ?? null) : null,
    proof: {
      verdict: verdictOf(entries.length, proof),
      checked: entries.length,
      checkpoint:
        proof.checkpoint === null
          ? null
          : {
              seq: proof.checkpoint.seq,
              signed_at: proof.checkpoint.signedAt.toISOString(),
              signature_valid: proof.checkpoint.isValid,
            },
      run: proof.run,
    },
  }
}

function verdictOf(count: number, { broken, run }: EntriesProof): ActivityProof['verdict'] {
  if (broken.size > 0 || run === 'broken') return 'broken'
  if (count === 0) return 'nothing'
  return run === 'unsigned' ? 'unsigned' : 'verified'
}

function stateOf(seq: number, { broken, checkpoint, run }: EntriesProof): EntryState {
  if (broken.has(seq)) return 'broken'
  if (run === 'broken') return 'unproven'
  return checkpoint !== null && seq <= checkpoint.seq ? 'verified' : 'unsigned'
}

function renderEntry(entry: AuditEntry, names: ActivityNames, state: EntryState): ActivityEntry {
  return {
    ...entryFacts(entry, names),
    payment: paymentOf(entry.payload, names),
    state,
    prev_hash: entry.prev_hash,
    entry_hash: entry.entry_hash,
    json: JSON.stringify(entry, null, 2),
  }
}

/** Returns the events that the filter selects: approvals also under their earlier name. */
function eventsOf({ event }: Selection): readonly string[] | undefined {
  if (event === undefined) return undefined
  return event === 'oid4ac.consent.approved' ? [event, APPROVAL_RECORDED] : [event]
}

function paymentOf(payload: AuditEntry['payload'], { merchants }: ActivityNames): ActivityEntry['payment'] {
  const { amount_minor: amount } = payload
  const [currency, merchant] = [text(payload['currency']), text(payload['merchant_audience'])]
  if (typeof amount !== 'number' || currency === null || merchant === null) return null
  return {
    payment_intent_id: text(payload['payment_intent_id']),
    amount_minor: amount,
    currency,
    merchant_audience: merchant,
    merchant_name: merchants.get(merchant) ?? null,
  }
}

const DOWNLOAD_PAGE = 200
/** The most entries in a download; a narrower filter selects the others. */
const DOWNLOAD_MAX_ENTRIES = 10_000

type Selection = z.output<typeof activityFilter>

/** Yields all entries that the filter selects, newest first, page by page. */
async function* readPages(call: WalletCall, selection: Selection): AsyncGenerator<readonly AuditEntry[], void> {
  const events = eventsOf(selection)
  let beforeSeq: number | undefined
  for (let read = 0; read < DOWNLOAD_MAX_ENTRIES; read += DOWNLOAD_PAGE) {
    const page = await listAudit(call, { events, clientId: selection.agent, beforeSeq, limit: DOWNLOAD_PAGE })
    if (page.length > 0) yield page
    if (page.length < DOWNLOAD_PAGE) return
    beforeSeq = page.at(-1)?.seq
  }
}

/**
 * Yields the caller's entries that the filter selects, complete and newest first, as one JSON document in chunks; at
 * most 10,000. It ends with a signed checkpoint of the chain that contains them.
 */
export async function* writeActivityJson(call: WalletCall, input: Selection): AsyncGenerator<string, void> {
  const { platform, actor } = call
  const about = {
    principal_id: actor.principalId,
    tenant_id: actor.tenantId,
    exported_at: call.now.toISOString(),
    event: input.event ?? null,
    agent_client_id: input.agent ?? null,
  }
  yield `${JSON.stringify(about).slice(0, -1)},"entries":[`
  let newest: AuditEntry | undefined
  for await (const page of readPages(call, input)) {
    const lines = page.map((entry) => `\n${JSON.stringify(entry)}`).join(',')
    yield newest === undefined ? lines : `,${lines}`
    newest ??= page[0]
  }
  const { checkpoint } = await proveEntries(platform, actor.tenantId, newest === undefined ? [] : [newest])
  yield `\n],"checkpoint":${JSON.stringify(checkpoint?.jws ?? null)}}\n`
}
