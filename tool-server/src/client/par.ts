import { Refusal, throwIfCancelled } from '../errors.js'
import { describeRefusal, expectReply } from '../http/refusals.js'
import { formBody, type Session } from './session.js'
import { type ParReply, parReply, statusReply } from './wire.js'

/** An authorization request to push. @see {@link https://www.rfc-editor.org/rfc/rfc9126#section-2.1} */
export interface PushedRequest {
  readonly redirectUri: string
  readonly scope: string
  readonly resources: readonly string[]
  /** @see {@link https://www.rfc-editor.org/rfc/rfc9396#section-2} */
  readonly authorizationDetails: readonly Readonly<Record<string, unknown>>[]
  /** S256. @see {@link https://www.rfc-editor.org/rfc/rfc7636#section-4.2} */
  readonly codeChallenge: string
  readonly state: string
  readonly consentModeHint?: 'auto' | 'dashboard' | 'scan' | undefined
}

/** The decision about a pushed request; `gone` when the server does not know it (any more). */
export type ConsentStatus = 'approved' | 'pending' | 'declined' | 'gone'

/** Pushes the request. */
export async function pushRequest(
  session: Session,
  clientId: string,
  call: { readonly request: PushedRequest; readonly signal?: AbortSignal | undefined },
): Promise<ParReply> {
  const { request, signal } = call
  await session.discover(signal)
  throwIfCancelled(signal)
  // Not cancelled once it is sent: the server then knows the request, and only the response contains its request_uri.
  const reply = await session.prove({
    path: '/oauth/par',
    body: async () =>
      formBody([
        ...Object.entries(await session.clientAuthentication(clientId)),
        ['response_type', 'code'],
        ['redirect_uri', request.redirectUri],
        ['scope', request.scope],
        ...request.resources.map((resource) => ['resource', resource] as const),
        ['authorization_details', JSON.stringify(request.authorizationDetails)],
        ['code_challenge', request.codeChallenge],
        ['code_challenge_method', 'S256'],
        ['state', request.state],
        ['dpop_jkt', session.dpopKey.thumbprint],
        ['consent_mode_hint', request.consentModeHint],
      ]),
  })
  return expectReply(reply, { step: 'PAR', schema: parReply })
}

/** Reads the decision about a pushed request. Anyone who knows the request_uri may ask. */
export async function readStatus(session: Session, requestUri: string, signal?: AbortSignal): Promise<ConsentStatus> {
  const path = `/oauth/par/${encodeURIComponent(requestUri)}/status`
  const reply = await session.send({ method: 'GET', path, signal })
  if (reply.status === 404) return 'gone'
  if (reply.status !== 200) throw new Refusal('status', describeRefusal(reply, true))
  return expectReply(reply, { step: 'status', schema: statusReply }).status
}
