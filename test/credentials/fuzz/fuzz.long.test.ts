import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, stopWorld, type World } from '../verifier'
import { fuzz } from './fuzz'
import { allKinds } from './kinds'

/** Another seed tries other mutations: `npm run fuzz:presentations -- --count 50000 --seed N`. */
const SEED = 20_261_128

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => stopWorld(world))

/** Mutations that never got past the form would show nothing, so these must be among the answers. */
const EXPECTED: readonly [kind: string, count: number, outcomes: readonly string[]][] = [
  [
    'presentations',
    700,
    ['200', '400 vp_token_invalid', '400 nonce_mismatch', '400 audience_mismatch', '400 holder_binding_missing'],
  ],
  ['vp-tokens', 200, ['200', '400 vp_token_invalid', '400 vp_formats_not_supported', '422 detail']],
  ['proofs', 200, ['200', '400 invalid_proof', '400 invalid_nonce', '400 invalid_credential_request']],
  ['queries', 150, ['200', '422 detail']],
  ['request-objects', 150, ['200', '400 invalid_request', '400 vp_formats_not_supported']],
  ['responses', 200, ['200', '400 invalid_request', '400 vp_token_invalid']],
  ['status-lists', 150, ['200', '403 attestation_revoked', '503 service_unavailable']],
]

test.each(EXPECTED)(
  `D6 mutations of %s (%d of them, seed ${SEED}) cause no fault, and no forgery is accepted`,
  async (name, count, expected) => {
    const kind = allKinds[name]
    if (kind === undefined) throw new Error(`no kind ${name}`)
    const { outcomes, failures } = await fuzz(world, { kinds: { [name]: kind }, count, seed: SEED })
    expect(failures).toEqual([])
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(expected.map((outcome) => `${name} ${outcome}`)))
  },
  120_000,
)
