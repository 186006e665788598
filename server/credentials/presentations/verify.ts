import type { CallOf, InputOf } from '../../base/contract/endpoint'
import { readClientId } from './relying-party'
import type { VerifiedPresentations, verifyEndpoint } from './verify-contract'
import { readTrusted, verifyTrusted } from './verify-presentations'
import { parseVpToken } from './vp-token'

type VerifyCall = CallOf<typeof verifyEndpoint>

/** POST /eudiw/verify. Nothing is used up, so the same presentation verifies again. */
export async function verify(call: VerifyCall, input: InputOf<typeof verifyEndpoint>): Promise<VerifiedPresentations> {
  // An unknown region is refused before the presentations are parsed.
  const trusted = await readTrusted(call, [input.region])
  const presentations = parseVpToken(input.vp_token, input.presentation_submission)
  const expected = {
    audiences: input.expected_aud === undefined ? await ownAudiences(call) : [input.expected_aud],
    nonce: input.expected_nonce ?? null,
    jkt: null,
  }
  return verifyTrusted(call, presentations, { trusted, expected })
}

/** Returns the audiences by which wallet apps may name this verifier. */
async function ownAudiences(call: VerifyCall): Promise<readonly string[]> {
  const clientId = await readClientId(call)
  const { baseUrl } = call.platform.config
  return clientId === null ? [baseUrl] : [clientId, baseUrl]
}
