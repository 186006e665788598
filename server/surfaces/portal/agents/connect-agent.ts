import { resolve } from 'node:path'
import { encodeQR } from 'qr'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { announceChange } from '../../../base/core/announce-change'
import type { WalletCall } from '../../../base/core/call'
import { sandboxMode } from '../../../base/core/sandbox-mode'
import { shellWord } from '../../../base/core/shell-word'
import { proveStepUp } from '../../../identity/passkeys'
import { cancelSetupToken, createPlannedSetupToken } from '../../../oauth/clients'
import type { connectAgentProcedure, setupTokenProcedure } from './contract'
import type { SetupTokenView } from './view'

/**
 * Mints a setup token for a new agent, in each form in which the person can pass it on. It is shown only once. A new
 * agent may pay, so the person confirms the whole plan; with passkeys, access to the mailbox does not suffice.
 */
export async function connectAgent(
  call: WalletCall,
  { proof, ...plan }: ProcedureInput<typeof connectAgentProcedure>,
): Promise<SetupTokenView> {
  const { limits = null, ...agent } = plan
  const { method } = await proveStepUp(call, { purpose: 'agent.connect', subject: { ...agent, limits } }, proof)
  const token = await createPlannedSetupToken(call, plan, method)
  await announceChange(call.platform, call.actor.principalId)
  return {
    ...token,
    command: registerCommand(call, token.setup_token),
    program: programOf(call),
    qr_svg: encodeQR(token.qr_payload, 'svg', { ecc: 'medium' }),
  }
}

/** Where `npm start` builds the tool server, in the checkout that this process was started in. */
const LOCAL_PROGRAM = 'tool-server/dist/bin.js'

/**
 * Returns the command of the tool server's program. For a sandbox on the person's own machine it is that of the
 * checkout, by its whole path, because a host may start it in any directory.
 */
function programOf({ platform }: WalletCall): readonly [string, ...string[]] {
  const isLocal = sandboxMode(platform.config) === 'local'
  return isLocal ? ['node', resolve(LOCAL_PROGRAM)] : ['npx', '-y', '@countersign/tools']
}

function registerCommand(call: WalletCall, token: string): string {
  const { baseUrl } = call.platform.config
  const program = programOf(call).map(shellWord).join(' ')
  // A value that begins with a dash would be read as an option.
  const option = token.startsWith('-') ? `--setup-token=${token}` : `--setup-token ${token}`
  return `${program} register ${option} --as-url ${baseUrl}`
}

/** Cancels an unused setup token. */
export async function cancelConnection(call: WalletCall, input: ProcedureInput<typeof setupTokenProcedure>) {
  const cancelled = await cancelSetupToken(call, input)
  await announceChange(call.platform, call.actor.principalId)
  return cancelled
}
