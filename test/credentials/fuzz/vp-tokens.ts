/** Containers of good presentations with something wrong, and the members beside them. */
import type { Random } from '../../faults/random'
import { NONCE, REGION, send } from '../verifier'
import { judge, type Kind } from './fuzz'
import { changeText, hostile, spoil, spoilDeep, truncate } from './mutate'
import { isSaidBy, makeOriginals, type Original } from './presentations'

const MEMBERS = ['vp_token', 'presentation_submission', 'region', 'expected_aud', 'expected_nonce', '__proto__']
const IDS = ['q', 'other', 'a-1_b', '__proto__', 'constructor', 'a b', '', 'é']

interface Body {
  readonly vp_token: unknown
  readonly presentation_submission: unknown
}

const descriptor = (path: string) => ({ id: 'd', format: 'dc+sd-jwt', path })

/** One of the forms that are taken. */
function honestBody(random: Random, originals: readonly Original[]): Body {
  const chosen = Array.from({ length: random.int(1, 3) }, () => random.pick(originals).compact)
  const answers = Object.fromEntries(chosen.map((compact, index) => [random.pick(IDS) + index, [compact]]))
  switch (random.int(0, 3)) {
    case 0:
      return { vp_token: answers, presentation_submission: random.pick([null, {}]) }
    case 1:
      return { vp_token: JSON.stringify(answers), presentation_submission: null }
    case 2:
      return {
        vp_token: chosen,
        presentation_submission: { descriptor_map: chosen.map((_, index) => descriptor(`$[${index}]`)) },
      }
    default:
      return { vp_token: chosen[0], presentation_submission: { descriptor_map: [descriptor('$')] } }
  }
}

function mutateBody(random: Random, body: Body): object {
  const { vp_token: token } = body
  switch (random.int(0, 5)) {
    case 0:
      return { ...body, vp_token: spoilDeep(random, token) }
    case 1:
      return { ...body, presentation_submission: spoilDeep(random, body.presentation_submission) }
    case 2:
      return { ...body, vp_token: changeText(random, typeof token === 'string' ? token : JSON.stringify(token)) }
    case 3:
      return { ...body, vp_token: truncate(random, typeof token === 'string' ? token : JSON.stringify(token)) }
    case 4:
      return spoil(random, body, MEMBERS) as object
    default:
      return { ...body, [random.pick(MEMBERS)]: hostile(random) }
  }
}

/** Every text that stands somewhere in a value; a text that is JSON stands for what it says. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^\s*\{/.test(value) ? textsIn(JSON.parse(value)) : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** POST /eudiw/verify with several presentations, each of them good. */
export const vpTokens: Kind = async (world) => {
  const originals = await makeOriginals(world)
  const compacts = originals.map(({ compact }) => compact)
  return async (random) => {
    const mutated = mutateBody(random, honestBody(random, originals))
    const body = { region: REGION, expected_nonce: NONCE, ...mutated }
    const sent = random.chance(0.05) ? changeText(random, JSON.stringify(body)) : body
    const answer = await send(world.app, sent)
    const whyWrong = () => {
      const read = typeof sent === 'string' ? (JSON.parse(sent) as typeof body) : sent
      const texts = textsIn('vp_token' in read ? read.vp_token : null)
      if (!texts.every((text) => compacts.includes(text))) return 'a presentation that nobody made'
      if (answer.json.presentations.length !== texts.length) return 'not as many as were sent'
      if (read.region !== answer.json.region) return 'another region'
      const isSaid = answer.json.presentations.every((one) => originals.some(({ result }) => isSaidBy(result, one)))
      return isSaid ? null : 'the issuer never said this'
    }
    return judge(answer, { sent, whyWrong })
  }
}
