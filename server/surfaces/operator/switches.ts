import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { OperatorCall } from '../../base/core/call'
import { invariant } from '../../base/core/invariant'
import { recordOperatorAct } from '../../shared/audit'
import { updateAllRefused } from '../../wallet/enrolments'
import type { listSwitchesEndpoint, setSwitchEndpoint } from './contract'

/** GET /operator/switches: every switch with its state and its default. */
export async function listSwitches({ platform }: OperatorCall): Promise<OutputOf<typeof listSwitchesEndpoint>> {
  return { switches: [...(await platform.switches.list())] }
}

type SetSwitch = typeof setSwitchEndpoint

/** PUT /operator/switches/{name}: sets an override, which lasts until it is set again, also across restarts. */
export async function setSwitch(
  call: OperatorCall,
  { name, enabled }: InputOf<SetSwitch>,
): Promise<OutputOf<SetSwitch>> {
  const { platform, requestId, now } = call
  await platform.switches.set(name, enabled, async (tx, from) => {
    if (name === 'federation' && !enabled) await updateAllRefused(tx, now)
    await recordOperatorAct(tx, call, { what: 'setSwitch', from, to: enabled, subjectId: name })
  })
  platform.log.info('switch set', { requestId, switch: name, enabled })
  const state = (await platform.switches.list()).find((entry) => entry.name === name)
  invariant(state !== undefined, 'every switch is listed')
  return state
}
