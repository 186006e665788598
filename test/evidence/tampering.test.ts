/** Every field of real packs altered, and every member left out, one at a time: none of it passes silently. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidencePack } from '@/server/surfaces/evidence/contract'
import { type Finding, type Report, verifyPack } from '@/verify/src/index'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'
import { buyBook, dispute, readPack, type Way } from './purchases'
import { alterEach, type Change, leaveOutEach } from './tampering'

const ways: readonly Way[] = ['passkey', 'wallet', 'magic_link', 'token', 'rule']

let app: App
let jwks: unknown
const packs = new Map<Way, EvidencePack>()
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  for (const way of ways) {
    const bought = await buyBook(app, way, { withKeyBinding: way === 'passkey' })
    if (way === 'passkey') {
      await dispute(app, bought, 'pending')
      await dispute(app, bought, 'won')
    }
    packs.set(way, await readPack(bought.person, bought.paymentIntentId))
  }
  jwks = (await exchange(`${app.baseUrl}/oauth/jwks.json`)).json
})
afterAll(() => app.close())

const packOf = (way: Way) => {
  const pack = packs.get(way)
  if (pack === undefined) throw new Error('no pack')
  return pack
}

/** What the verifier makes of a text; null when it does not understand it. */
async function judge(pack: unknown, keys?: unknown): Promise<Report | null> {
  try {
    return await verifyPack(JSON.stringify(pack), {
      now: app.clock.now(),
      ...(keys === undefined ? {} : { jwks: keys }),
    })
  } catch {
    return null
  }
}

const describeChange = ({ path, what }: Change) => `${path.join('.')}: ${what}`
const isGood = (report: Report | null) => report?.verdict === 'proven' || report?.verdict === 'consistent'

/** The parts that a change of this member may be noted at, when the seal is there. */
const blames = (findings: readonly Finding[], member: unknown) =>
  findings.some(
    ({ status, part, text }) =>
      status === 'wrong' && (part === member || part === 'pack' || text.includes(`"${String(member)}"`)),
  )

/** All of one pack, which has the most in it; of the others what is different in them. */
const membersOf = (way: Way) => (way === 'passkey' ? [] : ['approval', 'mandate', 'disputes'])

describe.each(ways)('a pack of a purchase that was allowed by %s', (way) => {
  test('holds, with the keys of the pack and with those that the server publishes', async () => {
    expect(await judge(packOf(way))).toMatchObject({ verdict: 'consistent', keys: { from: 'pack' } })
    expect(await judge(packOf(way), jwks)).toMatchObject({ verdict: 'proven', keys: { from: 'reader' } })
  })

  test('is wrong with any value altered, and the part that was altered is named', async () => {
    const unnoticed: string[] = []
    const unnamed: string[] = []
    for (const change of alterEach(packOf(way), membersOf(way))) {
      const report = await judge(change.pack, jwks)
      if (report === null) continue
      if (report.verdict !== 'wrong') unnoticed.push(describeChange(change))
      else if (!blames(report.findings, change.path[0])) unnamed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
    expect(unnamed).toEqual([])
  })

  test('is never proven with anything left out, and what is not shown is named', async () => {
    const unnoticed: string[] = []
    for (const change of leaveOutEach(packOf(way), membersOf(way))) {
      const report = await judge(change.pack)
      const isNamed = report?.findings.some(({ status }) => status === 'missing' || status === 'wrong')
      if (isGood(report) || isNamed === false) unnoticed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
  })

  test('can be handed on without a whole member: the rest is not called altered', async () => {
    for (const member of ['mandate', 'approval', 'receipt', 'settlement', 'refunds', 'audit'] as const) {
      const { [member]: _, ...rest } = packOf(way)
      const report = await judge(rest, jwks)
      expect([member, report?.verdict]).toEqual([member, 'incomplete'])
      expect(report?.findings.find(({ status }) => status === 'missing')).toMatchObject({ part: member })
    }
  })
})

/** What no signature but the seal is for: without the seal it is only said, and the pack is not proven. */
const SEALED_ONLY =
  /^(?:created_at|payment\.(?:payer\.name|merchant\.name|card\.\w+)|mandate\.kept|settlement\.reserved_at|approval\.(?:asked_at|decided_at|decided_via)|refunds|keys)\b|: one member more$/

test.each(['passkey', 'wallet'] as const)(
  'without the seal, the documents of %s themselves still show every alteration of what they are for',
  async (way) => {
    const { seal: _, ...pack } = packOf(way)
    expect(await judge(pack, jwks)).toMatchObject({ verdict: 'incomplete' })
    const unnoticed: string[] = []
    for (const change of alterEach(pack)) {
      const report = await judge(change.pack, jwks)
      expect(isGood(report), describeChange(change)).toBe(false)
      if (report?.verdict === 'incomplete' && !SEALED_ONLY.test(describeChange(change)))
        unnoticed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
  },
)

test('a part of another pack is noticed', async () => {
  const [one, other] = [packOf('passkey'), packOf('magic_link')]
  for (const member of ['payment', 'mandate', 'approval', 'receipt', 'settlement', 'audit', 'seal'] as const) {
    expect([member, (await judge({ ...one, [member]: other[member] }, jwks))?.verdict]).toEqual([member, 'wrong'])
    const { seal: _, ...unsealed } = { ...one, [member]: other[member] }
    expect([member, (await judge(unsealed, jwks))?.verdict]).toEqual([
      member,
      member === 'seal' ? 'incomplete' : 'wrong',
    ])
  }
})

test('keys of another server are not relied on', async () => {
  const foreign = {
    keys: packOf('passkey').keys.keys.map((key) => ({ ...key, x: Buffer.alloc(32, 7).toString('base64url') })),
  }
  expect(await judge(packOf('passkey'), foreign)).toMatchObject({ verdict: 'wrong' })
  expect(await judge(packOf('passkey'), { keys: [] })).toMatchObject({ verdict: 'wrong' })
})

test('a member that occurs twice makes the file unreadable', async () => {
  const text = JSON.stringify(packOf('rule')).replace('"payment":', '"issuer":"https://other.example","payment":')
  await expect(verifyPack(text)).rejects.toThrow('occurs twice')
})
