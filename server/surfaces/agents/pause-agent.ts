import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import type { Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { announceStop } from '../../money/settlement'
import { endPurchaseLinks } from '../../oauth/authorization'
import { lockAgent, updatePausedAt } from '../../oauth/clients'
import { type Means, recordPersonAct } from '../../shared/audit'
import type { pauseAgentEndpoint, resumeAgentProcedure } from './contract'
import { saveWithoutStepUp } from './save-without-step-up'
import { withdrawPurchases } from './withdraw-purchases'

type Pause = OutputOf<typeof pauseAgentEndpoint>

/**
 * Pauses one agent: it neither pays nor asks to pay until the person resumes it. Its pending purchases and limit
 * requests end, and so do its payments that wait for the bank. Pausing again changes nothing. 404 for an agent that is
 * unknown, revoked or another person's.
 */
export async function pauseAgent(
  call: WalletCall,
  { client_id: clientId }: InputOf<typeof pauseAgentEndpoint>,
): Promise<Pause> {
  await saveWithoutStepUp(call, async (tx, means) => {
    await endPurchaseLinks(tx, { principalId: call.actor.principalId, clientId, now: call.now })
    if (await isPaused(tx, call, clientId)) return
    await updatePausedAt(tx, clientId, call.now)
    await withdrawPurchases(tx, call, { clientId })
    await recordPause(tx, call, { agent_client_id: clientId, from: 'active', to: 'paused', means })
  })
  await announceStop(call.platform, call.actor.principalId)
  return { client_id: clientId, paused: true }
}

/** Resumes an agent. 404 as by `pauseAgent`; 403 step_up_required when it is paused and not confirmed. */
export async function resumeAgent(
  call: WalletCall,
  { client_id: clientId, proof }: ProcedureInput<typeof resumeAgentProcedure>,
): Promise<Pause> {
  const change = {
    relaxes: async (tx: Transaction) =>
      (await isPaused(tx, call, clientId)) ? { client_id: clientId, paused: { from: true, to: false } } : null,
    save: async (tx: Transaction, means: Means) => {
      if (!(await isPaused(tx, call, clientId))) return
      await updatePausedAt(tx, clientId, null)
      await recordPause(tx, call, { agent_client_id: clientId, from: 'paused', to: 'active', means })
    },
  }
  await requireStepUpToRelax(call, change, proof)
  return { client_id: clientId, paused: false }
}

async function isPaused(tx: Transaction, { actor }: WalletCall, clientId: string): Promise<boolean> {
  const agent = await lockAgent(tx, { principalId: actor.principalId, clientId })
  if (agent === null || agent.revoked_at !== null) throw buildUnknownAgentError()
  return agent.paused_at !== null
}

interface PauseChange {
  readonly agent_client_id: string
  readonly from: 'active' | 'paused'
  readonly to: 'active' | 'paused'
  readonly means: Means
}

function recordPause(tx: Transaction, call: WalletCall, change: PauseChange): Promise<void> {
  return recordPersonAct(tx, call, { event: 'oid4ac.limits.changed', payload: { what: 'agent', ...change } })
}
