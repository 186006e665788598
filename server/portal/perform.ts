import type { EndpointShape, Operation, OutputOf } from '../contract/endpoint'
import { Reply } from '../contract/reply'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { invariant } from '../core/invariant'

/** Operations that a wallet token may call; the portal's session counts as one with every scope. */
export type WalletEndpoint = EndpointShape & { readonly access: { readonly actor: 'wallet' } }

type PlainVerb = (call: WalletCall, input: unknown) => Promise<unknown>

/**
 * Runs an operation's verb for the signed-in person and answers what its contract promises, or refuses in the words of
 * HTTP while its switch is off.
 */
export async function perform<E extends WalletEndpoint>(
  { endpoint, verb }: Operation<E>,
  call: WalletCall,
  input: unknown = {},
): Promise<OutputOf<E>> {
  await requireSwitchOf(endpoint, call)
  const result = await (verb as unknown as PlainVerb)(call, input)
  if (!(result instanceof Reply)) return endpoint.output.parse(result) as OutputOf<E>
  invariant(result.content !== null && 'json' in result.content, 'the portal takes operations that answer JSON')
  return endpoint.output.parse(result.content.json) as OutputOf<E>
}

/** Refuses in the words of HTTP while the endpoint's switch is off. */
export async function requireSwitchOf(endpoint: Pick<EndpointShape, 'switch'>, call: WalletCall): Promise<void> {
  if (endpoint.switch === undefined || (await call.platform.switches.isOn(endpoint.switch))) return
  throw new ServiceError('service_unavailable', 'This feature is switched off.')
}
