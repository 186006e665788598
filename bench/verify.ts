/**
 * The cost of verifying a presentation, beside @sd-jwt/sd-jwt-vc and beside its two signature checks alone:
 *   npm run bench:verify [-- --seconds 3]
 * One process, keys at hand, no HTTP and no status list. The three take turns, so that a busy machine is busy for all.
 * The figure is the CPU time as a multiple of that of the signatures, beside the goal.
 */
import { parseArgs } from 'node:util'
import { parsePresentation, verifyPresentation } from '../server/base/protocol/presentation'
import {
  ATTESTATION,
  ed25519Key,
  NOW,
  NOW_SECONDS,
  p256Key,
  present,
  type TestKey,
} from '../server/base/protocol/test-support'
import { isSigned, type SigningPair, secondVerifier } from '../test/credentials/second-verifier'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } })
const milliseconds = Number(values.seconds) * 1000
const TURN_MILLISECONDS = 250
/** How often each runs before it is measured, since uncompiled code costs several times as much. */
const WARM_UP = 3_000
const DISCLOSURES = 10
/** The most that a verification may cost, as a multiple of its two signature checks alone. */
const GOAL = 1.5

const disclosures = Array.from({ length: DISCLOSURES }, (_, index) => [
  `salt-${index}`,
  `claim_${index}`,
  `value ${index}`,
])
const pairOf = ({ privateKey, publicKey, jwk }: TestKey): SigningPair => ({
  privateKey,
  publicKey,
  alg: jwk.kty === 'EC' ? 'ES256' : 'EdDSA',
})

const SIGNATURES = 'two signatures'

interface Contender {
  readonly name: string
  readonly verify: () => Promise<unknown>
  count: number
  wallMilliseconds: number
  cpuMicroseconds: number
}

const contender = (name: string, verify: Contender['verify']): Contender => ({
  name,
  verify,
  count: 0,
  wallMilliseconds: 0,
  cpuMicroseconds: 0,
})

function contendersFor(keys: { readonly issuerKey: TestKey; readonly holder: TestKey }): Contender[] {
  const compact = present(keys, { disclosures })
  const [issuer, holder] = [pairOf(keys.issuerKey), pairOf(keys.holder)]
  const library = secondVerifier(issuer, holder)
  const jwts = [compact.split('~')[0] ?? '', compact.split('~').at(-1) ?? '']
  const signed = jwts.map((jwt) => [jwt.slice(0, jwt.lastIndexOf('.')), jwt.slice(jwt.lastIndexOf('.') + 1)] as const)
  const binding = { audiences: [ATTESTATION.audience], nonce: ATTESTATION.nonce, jkt: null }
  const findKey = () => Promise.resolve(keys.issuerKey.publicKey)
  return [
    contender('Countersign', () =>
      verifyPresentation(parsePresentation(compact), { algorithms: [issuer.alg], findKey, binding, now: NOW }),
    ),
    contender('@sd-jwt/sd-jwt-vc', () =>
      library.verify(compact, { keyBindingNonce: ATTESTATION.nonce, currentDate: NOW_SECONDS }),
    ),
    contender(SIGNATURES, () => {
      const isValid = signed.every(([text, signature], index) =>
        isSigned(text, signature, index === 0 ? issuer : holder),
      )
      return isValid ? Promise.resolve() : Promise.reject(new Error('a signature does not verify'))
    }),
  ]
}

const cpuOf = ({ cpuMicroseconds, count }: Contender): number => cpuMicroseconds / count

async function takeTurn(one: Contender): Promise<void> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  while (performance.now() - startedAt < TURN_MILLISECONDS) {
    await one.verify()
    one.count += 1
  }
  const { user, system } = process.cpuUsage(cpu)
  one.cpuMicroseconds += user + system
  one.wallMilliseconds += performance.now() - startedAt
}

async function compare(contenders: readonly Contender[]): Promise<void> {
  for (const one of contenders) while (one.count < WARM_UP) await takeTurn(one)
  for (const one of contenders) Object.assign(one, { count: 0, wallMilliseconds: 0, cpuMicroseconds: 0 })
  while (contenders.some(({ wallMilliseconds }) => wallMilliseconds < milliseconds)) {
    for (const one of contenders) await takeTurn(one)
  }
}

for (const [alg, newKey] of [
  ['EdDSA', ed25519Key],
  ['ES256', p256Key],
] as const) {
  const contenders = contendersFor({ issuerKey: newKey(), holder: newKey() })
  await compare(contenders)
  const signatures = contenders.find(({ name }) => name === SIGNATURES)
  if (signatures === undefined) throw new Error('the signatures alone were not measured')
  const rows = contenders.map((one) => ({
    [`${alg}, ${DISCLOSURES} disclosures`]: one.name,
    'per second': Math.round((one.count / one.wallMilliseconds) * 1000),
    'CPU in microseconds': Math.round(cpuOf(one)),
    [`in signatures (goal: ${GOAL})`]: Number((cpuOf(one) / cpuOf(signatures)).toFixed(2)),
  }))
  console.table(rows)
}
