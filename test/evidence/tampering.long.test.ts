/** Every field of real packs altered, and every member left out, one at a time: none of it passes silently. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvidencePack } from '@/server/surfaces/evidence/contract'
import { type Finding, NotAPack, type Report, verifyPack } from '@/verify/src/index'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'
import { buyBook, chargeTwice, dispute, readPack, type Way } from './purchases'
import { alterEach, type Change, leaveOutEach } from './tampering'

const ways: readonly Way[] = ['passkey', 'wallet', 'magic_link', 'token', 'gate', 'rule']

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
      await chargeTwice(app, bought)
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

const judge = (pack: unknown, keys?: unknown): Promise<Report> =>
  verifyPack(JSON.stringify(pack), { now: app.clock.now(), ...(keys === undefined ? {} : { jwks: keys }) })

/** The members without whose values nobody can say what the other members mean. */
const namesPack = ({ path }: Change) => path.length === 1 && (path[0] === 'type' || path[0] === 'version')

/** What the verifier makes of a change; for one that makes it another kind of file, the words with which it refuses that. */
async function judgeChange(change: Change, keys?: unknown): Promise<Report | string> {
  try {
    return await judge(change.pack, keys)
  } catch (error) {
    if (error instanceof NotAPack && namesPack(change)) return error.message
    throw new Error(describeChange(change), { cause: error })
  }
}

const describeChange = ({ path, what }: Change) => `${path.join('.')}: ${what}`
const isGood = ({ verdict }: Report) => verdict === 'proven' || verdict === 'consistent'

/** The parts that a change of this member may be noted at, when the seal is there. */
const blames = (findings: readonly Finding[], member: unknown) =>
  findings.some(
    ({ status, part, text }) =>
      status === 'wrong' && (part === member || part === 'pack' || text.includes(`"${String(member)}"`)),
  )

/** Whether it is said of the part that something was left out of that it is not shown, or no longer right. */
const misses = (findings: readonly Finding[], member: unknown) =>
  findings.some(
    ({ status, part }) => (status === 'missing' || status === 'wrong') && (part === member || part === 'pack'),
  )

/** All of one pack, which has the most in it; of the others what is different in them. */
const membersOf = (way: Way) => (way === 'passkey' ? [] : ['approval', 'mandate', 'disputes', 'refunds'])

test('the pack that all of is altered has the history of a dispute and a charge that was given back', () => {
  const { disputes, refunds, audit } = packOf('passkey')
  expect(disputes.map(({ status }) => status)).toEqual(['pending', 'won'])
  expect(refunds).toMatchObject([{ reason: 'another_charge', amount_minor: 1_200, refunded_at: expect.any(String) }])
  const given = audit.entries.filter(({ entry }) => entry.event === 'oid4ac.payment.refunded')
  expect(given).toMatchObject([{ entry: { payload: { payment_intent_id: refunds[0]?.payment_intent_id } } }])
})

describe.each(ways)('a pack of a purchase that was allowed by %s', (way) => {
  test('holds, with the keys of the pack and with those that the server publishes', async () => {
    expect(await judge(packOf(way))).toMatchObject({ verdict: 'consistent', keys: { from: 'pack' } })
    expect(await judge(packOf(way), jwks)).toMatchObject({ verdict: 'proven', keys: { from: 'reader' } })
  })

  test('is wrong with any value altered, and the part that was altered is named', async () => {
    const unnoticed: string[] = []
    const unnamed: string[] = []
    for (const change of alterEach(packOf(way), membersOf(way))) {
      const report = await judgeChange(change, jwks)
      if (typeof report === 'string') {
        if (!report.includes(`"${String(change.path[0])}"`)) unnamed.push(describeChange(change))
      } else if (report.verdict !== 'wrong') unnoticed.push(describeChange(change))
      else if (!blames(report.findings, change.path[0])) unnamed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
    expect(unnamed).toEqual([])
  })

  test('is never proven with anything left out, and what is not shown is named', async () => {
    const unnoticed: string[] = []
    const unnamed: string[] = []
    for (const change of leaveOutEach(packOf(way), membersOf(way))) {
      const report = await judge(change.pack)
      if (isGood(report)) unnoticed.push(describeChange(change))
      if (!misses(report.findings, change.path[0])) unnamed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
    expect(unnamed).toEqual([])
  })

  test('can be handed on without a whole member: the rest is not called altered', async () => {
    for (const member of ['mandate', 'approval', 'receipt', 'settlement', 'refunds', 'audit'] as const) {
      const { [member]: _, ...rest } = packOf(way)
      const report = await judge(rest, jwks)
      expect([member, report.verdict]).toEqual([member, 'incomplete'])
      expect(report.findings.find(({ status }) => status === 'missing')).toMatchObject({ part: member })
    }
  })

  test('can be handed on without its server and any other member: the documents that are left tell it', async () => {
    for (const member of ['issuer', 'seal', 'mandate', 'approval', 'receipt', 'audit', 'keys'] as const) {
      const { issuer: _issuer, [member]: _member, ...rest } = packOf(way)
      const report = await judge(rest, jwks)
      expect([member, report.verdict]).toEqual([member, 'incomplete'])
      expect(report.findings).toContainEqual({
        part: 'pack',
        status: 'missing',
        text: 'The pack does not say which server made it.',
      })
      expect([member, (await judge(rest)).verdict]).toEqual([member, 'incomplete'])
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
      const report = await judgeChange(change, jwks)
      if (typeof report === 'string') continue
      expect(isGood(report), describeChange(change)).toBe(false)
      if (report.verdict === 'incomplete' && !SEALED_ONLY.test(describeChange(change)))
        unnoticed.push(describeChange(change))
    }
    expect(unnoticed).toEqual([])
  },
)

test('a part of another pack is noticed', async () => {
  const [one, other] = [packOf('passkey'), packOf('magic_link')]
  for (const member of ['payment', 'mandate', 'approval', 'receipt', 'settlement', 'audit', 'seal'] as const) {
    expect([member, (await judge({ ...one, [member]: other[member] }, jwks)).verdict]).toEqual([member, 'wrong'])
    const { seal: _, ...unsealed } = { ...one, [member]: other[member] }
    expect([member, (await judge(unsealed, jwks)).verdict]).toEqual([
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

test.each([
  ['a member that occurs twice', '"issuer":"https://other.example","payment":', 'occurs twice'],
  ['a text with half a character', '"note":"\\ud800","payment":', 'lone surrogate'],
])('%s makes the file unreadable', async (_what, put, reason) => {
  const text = JSON.stringify(packOf('rule')).replace('"payment":', put)
  await expect(verifyPack(text)).rejects.toThrow(NotAPack)
  await expect(verifyPack(text)).rejects.toThrow(reason)
})
