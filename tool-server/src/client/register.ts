import { expectReply } from '../http/refusals.js'
import { jsonBody, type Session } from './session.js'
import { type RegistrationReply, registrationReply } from './wire.js'

/** The metadata of a new agent. @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2} */
export interface RegisterRequest {
  readonly setupToken: string
  readonly redirectUris: readonly string[]
  readonly clientName?: string | undefined
  readonly purpose?: string | undefined
  readonly scope?: string | undefined
}

/** Registers the agent; the setup token binds it to the person who handed it out. */
export async function registerClient(
  session: Session,
  request: RegisterRequest,
  signal?: AbortSignal,
): Promise<RegistrationReply> {
  await session.discover(signal)
  const { publicJwk, thumbprint } = session.assertionKey
  const body = jsonBody({
    client_name: request.clientName,
    purpose: request.purpose,
    scope: request.scope,
    redirect_uris: request.redirectUris,
    jwks: { keys: [{ ...publicJwk, kid: thumbprint, use: 'sig', alg: 'EdDSA' }] },
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    software_statement: request.setupToken,
  })
  const reply = await session.send({
    method: 'POST',
    path: '/oauth/register',
    headers: { 'content-type': body.type },
    body: body.text,
    signal,
  })
  return expectReply(reply, { step: 'register', schema: registrationReply })
}
