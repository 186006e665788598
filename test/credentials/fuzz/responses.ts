/** Answers of a wallet to a presentation request, with something wrong inside their encryption or around it. */
import type { Random } from '../../faults/random'
import { exchange, must, newKey } from '../../support/actors'
import { VCT, type VerifyAnswer, type World } from '../verifier'
import { encryptResponse, fetchRequest, postForm, type RequestClaims } from '../wallet'
import { judge, type Kind } from './fuzz'
import { changeJwt, changeText, hostile, spoil, spoilDeep, truncate } from './mutate'
import { isSaidBy, mutatePresentation, type Original } from './presentations'
import { createRequest, honestRequest } from './requests'

const PARAMETERS = ['state', 'vp_token', 'error', 'error_description', 'response', '__proto__']
const HEADER_MEMBERS = ['alg', 'enc', 'kid', 'zip', 'crit', 'epk', 'apu', 'apv', 'typ', '__proto__']

/** A request that waits for its answer, and an honest one. */
interface Open {
  readonly id: string
  readonly claims: RequestClaims
  readonly original: Original
  readonly isClear: boolean
}

async function openRequest({ app, foreign }: World, isClear: boolean): Promise<Open> {
  const body = { ...honestRequest, ...(isClear && { response_mode: 'direct_post' }) }
  const created = must(await createRequest(app, body), 200)
  const { claims } = await fetchRequest(created.deep_link)
  const holder = await newKey('ES256')
  const said = { given_name: 'Ada', family_name: 'Lovelace' }
  const issued = await foreign.issue({ vct: VCT, claims: said, holder })
  const { client_id: aud, nonce } = claims
  const compact = await foreign.present(issued, { holder, aud, nonce })
  const about = { vct: VCT, issuer: foreign.issuer, claims: { ...said, iss: foreign.issuer, vct: VCT } }
  const result = { ...about, holder: { jkt: holder.jkt }, aud, nonce } as unknown as VerifyAnswer
  return { id: created.request_uri.split('/').at(-1) ?? '', claims, original: { compact, holder, result }, isClear }
}

type Parameters = Readonly<Record<string, unknown>>

async function makeParameters(random: Random, { claims: { state }, original }: Open): Promise<Parameters> {
  const honest = { state, vp_token: { q: [original.compact] } }
  switch (random.int(0, 6)) {
    case 0:
      return honest
    case 1:
      return { state, error: random.pick(['access_denied', '', 7, null, 'x'.repeat(3_000)]) }
    case 2:
      return { ...honest, vp_token: JSON.stringify(honest.vp_token) }
    case 3:
      return { ...honest, vp_token: spoilDeep(random, honest.vp_token) }
    case 4:
      return { ...honest, vp_token: { q: [await mutatePresentation(random, [original])] } }
    case 5:
      return { ...honest, [random.pick(PARAMETERS)]: hostile(random) }
    default:
      return spoil(random, honest, PARAMETERS) as Parameters
  }
}

async function encrypt(random: Random, { claims }: Open, parameters: Parameters): Promise<string> {
  const text = JSON.stringify(parameters)
  const whole = random.chance(0.9) ? text : changeText(random, text)
  const enc = random.pick(['A128GCM', 'A256GCM', 'A256GCM', 'A128CBC-HS256'])
  const jwe = await encryptResponse(claims, whole, { enc })
  switch (random.int(0, 7)) {
    case 0:
      return changeText(random, jwe)
    case 1:
      return truncate(random, jwe)
    case 2: {
      const [header = '', ...rest] = jwe.split('.')
      return [changeJwt(random, header, HEADER_MEMBERS), ...rest].join('.')
    }
    default:
      return jwe
  }
}

const toForm = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

interface Result {
  readonly status: string
  readonly error?: string
  readonly result?: VerifyAnswer
}

/** POST /eudiw/response/{request_id}. A request lives until it is answered, or has had too much that is unreadable. */
export const responses: Kind = async (world) => {
  let open = await openRequest(world, false)
  return async (random) => {
    const current = open
    const parameters = await makeParameters(random, current)
    const isForm = current.isClear || random.chance(0.05)
    const form = isForm ? toForm(parameters) : { response: await encrypt(random, current, parameters) }
    const answer = await postForm(current.claims.response_uri, form)
    const isOpen = answer.status === 400 && answer.json['error'] === 'invalid_request'
    if (!isOpen) open = await openRequest(world, random.chance(0.3))
    return judge(answer, {
      sent: { parameters, form },
      whyWrong: async () => {
        const url = `${world.app.baseUrl}/eudiw/response/${current.id}`
        const read = isForm ? form : parameters
        return findForgery(must(await exchange<Result>(url), 200), read, current)
      },
    })
  }
}

/** Why this must not have come of these parameters. */
function findForgery({ status, result }: Result, parameters: Parameters, { claims, original }: Open): string | null {
  if (parameters['state'] !== claims.state) return 'another state'
  if (status === 'rejected') return typeof parameters['error'] === 'string' ? null : 'an error that was not sent'
  if (status !== 'verified' || result === undefined) return 'no end'
  const { iat: _iat, ...said } = result.presentations[0]?.claims ?? {}
  const isOne = result.presentations.length === 1 && result.presentations[0] !== undefined
  const isSaid = isOne && isSaidBy(original.result, { ...result.presentations[0], claims: said } as never)
  return isSaid ? null : 'the issuer never said this'
}
