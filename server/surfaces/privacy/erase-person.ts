import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { proveStepUp } from '../../identity/passkeys'
import type { StepUpProof } from '../../identity/passkeys/contract'
import { announceStop } from '../../money/settlement'
import { forgetClients } from '../../oauth/clients'
import { meansOf, recordAudit, recordPersonAct } from '../../shared/audit'
import { findWords, queueMessage, type Words } from '../../shared/notifications'
import { lockActor, requirePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { forgetRequests } from '../../shared/request-log'
import type { ErasureSummary } from './contract'
import { confirmationKey, enqueueEraseAgain } from './erase-again'
import { redactedColumns } from './erasure-rules'
import { endTokens, eraseRows, publishEnd } from './erasure-steps'
import { openRequest } from './open-request'

interface Erased {
  readonly requestId: string
  readonly agents: readonly string[]
  readonly families: number
}

/**
 * Erases the person in one transaction: ends all that could act for them and empties personal data by the rules in
 * erasure-rules.ts. Payments that wait for the bank are closed; others under way are finished and count. A last mail
 * confirms the erasure. The session or token of the caller ends, so that a repetition gets 401 invalid_token.
 */
export async function erasePerson(call: WalletCall): Promise<ErasureSummary> {
  const { platform, actor, requestId: logged } = call
  const { principalId } = actor
  const { requestId, agents, families } = await platform.db.transaction((tx) => erase(tx, call))
  forgetClients(platform.db, agents)
  await forgetCached(call)
  nudgeJobs(platform)
  await announceStop(platform, principalId)
  platform.log.info('person erased', { requestId: logged, principalId })
  return {
    status: 'erased',
    request_id: requestId,
    redacted: redactedColumns.map(({ table, columns }) => ({ table, columns: [...columns] })),
    agents_revoked: agents.length,
    families_revoked: families,
  }
}

/** Clears the person's request log. When the cache fails, the job that erases again clears it later. */
async function forgetCached({ platform, actor }: WalletCall): Promise<void> {
  const { principalId } = actor
  try {
    await forgetRequests(platform, principalId)
  } catch (cause) {
    platform.log.warn('request log not cleared yet', { principalId }, cause)
  }
}

/** Runs {@link erasePerson} from the portal, once the person has confirmed it. 403 step_up_required. */
export async function eraseWithProof(
  call: WalletCall,
  { proof }: { readonly proof?: StepUpProof | undefined },
): Promise<ErasureSummary> {
  await proveStepUp(call, { purpose: 'security.relax', subject: { erased: { from: false, to: true } } }, proof)
  return erasePerson(call)
}

async function erase(tx: Transaction, call: WalletCall): Promise<Erased> {
  const { actor, now } = call
  const { principalId } = actor
  const by = { kind: 'principal', id: principalId } as const
  await lockActor(tx, actor)
  const requestId = await openRequest(tx, call, { kind: 'erasure', result: 'erased' })
  const { email } = await requirePrincipal(tx, principalId)
  const { account } = await findWords(tx, principalId)
  const erasure = { principalId, call, now, actor: by, except: confirmationKey(principalId) }
  const agents = await eraseRows(tx, erasure)
  confirm(tx, call, { email, account })
  await enqueueEraseAgain(tx, call, principalId)
  const families = await endTokens(tx, erasure)
  await audit(tx, call, { requestId, agents })
  await publishEnd(tx, erasure)
  return { requestId, agents, families }
}

interface Confirmation extends Pick<Words, 'account'> {
  readonly email: string | null
}

/** Queues the last message to the person; its copy here is deleted once it is sent. */
function confirm(tx: Transaction, call: WalletCall, { email, account }: Confirmation): void {
  const { principalId } = call.actor
  queueMessage(tx, call, {
    eventKey: confirmationKey(principalId),
    principalId,
    channel: 'email',
    recipient: email,
    ...account.erased,
    links: [],
  })
}

async function audit(
  tx: Transaction,
  call: WalletCall,
  { requestId, agents }: Omit<Erased, 'families'>,
): Promise<void> {
  const { actor, now } = call
  const { principalId, tenantId } = actor
  for (const agent of agents) {
    const change = { from: 'active', to: 'revoked', means: meansOf(actor), agent_client_id: agent } as const
    await recordPersonAct(tx, call, { event: 'oid4ac.agent.revoked', payload: { what: 'agent', ...change } })
  }
  const by = { kind: 'principal', id: principalId } as const
  const payload = { request_id: requestId }
  await recordAudit(tx, { event: 'oid4ac.privacy.erasure', tenantId, principalId, actor: by, payload, now })
}
