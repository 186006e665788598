import { ServiceError } from './errors'
import type { Switches, SwitchName } from './platform'

/** Returns 404: the same for the agent of another person or tenant, a wallet client and an unknown client. */
export function buildUnknownAgentError(): ServiceError {
  return new ServiceError('not_found', 'There is no such agent.')
}

/** Returns 400 access_denied: the person has been erased or has restricted processing. */
export function buildBarredError(): ServiceError {
  return new ServiceError('access_denied', 'No token can be issued for this principal.')
}

/** Returns 503 service_unavailable: an operator has turned the feature off. */
export function buildSwitchedOffError(): ServiceError {
  return new ServiceError('service_unavailable', 'This feature is switched off.')
}

/** Throws 503 service_unavailable while the switch is off; does nothing without a switch. */
export async function requireSwitch(switches: Switches, name: SwitchName | undefined): Promise<void> {
  if (name !== undefined && !(await switches.isOn(name))) throw buildSwitchedOffError()
}
