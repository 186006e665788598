import { ServiceError } from './errors'
import type { Switches, SwitchName } from './platform'

/** Returns 404: the same for the agent of another person or tenant, a wallet client and an unknown client. */
export function buildUnknownAgentError(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}

/** Returns access_denied, with 400 unless another status is given: the person has been erased or has restricted processing. */
export function buildBarredError(options: { readonly status?: 403 } = {}): ServiceError {
  return new ServiceError(
    'access_denied',
    'The person was erased or has restricted the processing of their data.',
    options,
  )
}

/** Returns 503 service_unavailable: an operator has turned the feature off. */
export function buildSwitchedOffError(): ServiceError {
  return new ServiceError('service_unavailable', 'This feature is switched off.')
}

/** Throws 503 service_unavailable while the switch is off; does nothing without a switch. */
export async function requireSwitch(switches: Switches, name: SwitchName | undefined): Promise<void> {
  if (name !== undefined && !(await switches.isOn(name))) throw buildSwitchedOffError()
}
