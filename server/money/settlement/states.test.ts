import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import type { Transaction } from '../../base/core/platform'
import { openStates, releasedStates, type SettlementState, settlementStates } from '../../base/core/settlement-state'
import { sql } from '../../base/core/sql'
import { applyOutcome, prepareOutcome } from './finalise'
import { type MoveName, type Mover, mayMove, moves } from './states'
import { enterSubmission, findSettlementDetails, markUnknown, markWaiting, writeOutcome } from './store'

const moveNames = Object.keys(moves) as MoveName[]
const startsOf = (move: MoveName): readonly SettlementState[] => moves[move].from

describe('the table of moves', () => {
  test('the table of moves leads from state to state along these ways and no others', () => {
    const ways = moveNames.flatMap((move) => startsOf(move).map((from) => `${from} → ${moves[move].to}`))
    expect([...new Set(ways)].toSorted()).toEqual([
      'requires_action → failed',
      'requires_action → succeeded',
      'reserved → failed',
      'reserved → submitting',
      'reserved → succeeded',
      'reserved → unknown',
      'submitting → failed',
      'submitting → requires_action',
      'submitting → succeeded',
      'submitting → unknown',
      'unknown → failed',
      'unknown → requires_action',
      'unknown → submitting',
      'unknown → succeeded',
      'unknown → unknown',
    ])
  })

  test('each open state can succeed and fail, and no move leaves a final state', () => {
    const left = new Set(moveNames.flatMap(startsOf))
    expect(openStates).toEqual(['reserved', 'submitting', 'requires_action', 'unknown'])
    expect([...left].toSorted()).toEqual(openStates.toSorted())
    expect([startsOf('succeed'), startsOf('close')]).toEqual([openStates, openStates])
    expect(releasedStates).toEqual(['failed'])
  })

  test('only request and resolver may send money on its way or give up what was never sent', () => {
    const movers: Mover[] = ['request', 'resolver', 'webhook', 'cardholder']
    const made = movers.map((mover) => [mover, moveNames.filter((move) => mayMove(mover, move))])
    const learned = ['ask_cardholder', 'succeed', 'fail', 'close']
    expect(made).toEqual([
      ['request', ['reserve', 'submit', 'defer', ...learned, 'release']],
      ['resolver', ['submit', 'defer', ...learned, 'release']],
      ['webhook', learned],
      ['cardholder', learned],
    ])
  })
})

class Undo extends Error {}

describe('a settlement', () => {
  let money: MoneyFixture
  let id: string
  beforeAll(async () => {
    money = await openMoneyFixture()
    const answer = await money.settle(await money.mandate(await money.person()))
    id = answer.settlementId
    await money.platform.db.query(sql`UPDATE spend_counters SET reserved_minor = 100000`)
    await money.platform.db.query(sql`UPDATE agent_spend_counters SET reserved_minor = 100000`)
  })
  afterAll(() => money.close())

  const OWN = 'pi_own'
  const LATER = new Date('2030-01-01T00:00:00Z')

  async function putInto(tx: Transaction, state: SettlementState, handle: string | null): Promise<void> {
    const response = openStates.includes(state) ? null : '{}'
    await tx.query(
      sql`UPDATE settlements SET state = ${state}, payment_intent_id = ${handle}, response = ${response}, settled_at = NULL,
                 failure_code = NULL, action_until = lease_until WHERE id = ${id}`,
    )
  }

  /** Makes a move through the store. */
  async function attempt(tx: Transaction, move: Exclude<MoveName, 'reserve'>, intent: string | null): Promise<void> {
    const paymentIntentId = intent ?? OWN
    if (move === 'submit') await enterSubmission(tx, { id, paymentIntentId, freezeWaitsSince: LATER })
    else if (move === 'defer') await markUnknown(tx, id, LATER)
    else if (move === 'ask_cardholder') await markWaiting(tx, { id, paymentIntentId, lookAt: LATER, until: LATER })
    else {
      const base = { id, move, paymentIntentId: intent, response: '{}', settledAt: LATER, receiptJws: null }
      await writeOutcome(tx, { ...base, failureCode: move === 'succeed' ? null : 'card_declined' })
    }
  }

  const read = async (tx: Transaction) => {
    const [row] = await tx.query<{ row: Record<string, unknown> }>(
      sql`SELECT to_jsonb(s) AS row FROM settlements s WHERE s.id = ${id}`,
    )
    return row?.row ?? expect.fail('no settlement')
  }

  /** Returns the row before and after a move, which is then rolled back. */
  async function tryMove(
    from: SettlementState,
    move: Exclude<MoveName, 'reserve'>,
    { handle, intent }: { handle: string | null; intent: string | null },
  ) {
    const rows: Record<string, unknown>[] = []
    const undone = money.platform.db.transaction(async (tx) => {
      await putInto(tx, from, handle)
      rows.push(await read(tx))
      await attempt(tx, move, intent)
      rows.push(await read(tx))
      throw new Undo()
    })
    await expect(undone).rejects.toBeInstanceOf(Undo)
    const [before, after] = rows
    return { before: before ?? expect.fail('no row'), after: after ?? expect.fail('no row') }
  }

  const made = moveNames.filter((move) => move !== 'reserve')
  const handles = [
    { handle: null, intent: OWN },
    { handle: OWN, intent: OWN },
    { handle: OWN, intent: 'pi_other' },
    { handle: OWN, intent: null },
  ] as const

  /**
   * Returns whether the move accepts the handle: none is stored yet, or it is the same; a settlement with one cannot be
   * released.
   */
  function fits(move: MoveName, { handle, intent }: (typeof handles)[number]): boolean {
    if (move === 'defer' || handle === null) return true
    if (move === 'release') return false
    return handle === (intent ?? OWN)
  }

  test.each(made)(
    'the move "%s" changes a settlement in the states that the table allows, and in no other',
    async (move) => {
      for (const from of settlementStates) {
        for (const pair of handles) {
          const { before, after } = await tryMove(from, move, pair)
          const isAllowed = startsOf(move).includes(from) && fits(move, pair)
          const isDeferred = move === 'defer' && from === 'requires_action'
          const expected = isDeferred ? { ...before, lease_until: after['lease_until'] } : before
          if (isAllowed) expect([from, pair, after['state']]).toEqual([from, pair, moves[move].to])
          else expect([from, pair, after]).toEqual([from, pair, expected])
        }
      }
    },
  )

  test('a settlement is not moved by a mover that may not make the move', async () => {
    const settlement = (await findSettlementDetails(money.platform.db, id)) ?? expect.fail('no settlement')
    const context = { platform: money.platform, mover: 'webhook', settlement } as const
    const release = { status: 'failed', code: 'canceled', paymentIntentId: null, neverSubmitted: true } as const
    const released = money.platform.db.transaction(async (tx) => {
      await putInto(tx, 'reserved', null)
      await applyOutcome(tx, context, await prepareOutcome(context, release))
    })
    await expect(released).rejects.toThrow('webhook may release a settlement')
  })
})

describe('the states stand in one table', () => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const owners = ['server/base/core/settlement-state.ts', 'server/money/settlement/states.ts']
  const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => `server/${file.split(path.sep).join('/')}`)
    .filter((file) => !owners.includes(file))

  const state = `'(?:${settlementStates.join('|')})'`
  const forbidden = [
    new RegExp(`\\b[Ii][Nn]\\s*\\(\\s*${state}`),
    new RegExp(`\\bstate\\s*(?:=|<>|!=)\\s*${state}`),
    new RegExp(`\\bstate\\s+WHEN\\s+${state}`, 'i'),
    new RegExp(`'reserved'\\s*[,|]\\s*'submitting'\\s*[,|]\\s*${state}`),
  ]

  test.each(forbidden)('no statement names states of settlements by itself: %s', (pattern) => {
    const found = sources.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    expect(found).toEqual([])
  })

  /** Returns the condition of a view, as its newest migration defines it. */
  function conditionOf(view: string): string {
    const folder = path.join(root, 'prisma/migrations')
    const migrations = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sql'))
      .toSorted()
    const texts = migrations.map((file) => readFileSync(path.join(folder, file), 'utf8'))
    const definition = new RegExp(`^CREATE (?:OR REPLACE )?VIEW ${view} AS[^;]* WHERE ([^;]+);`, 'gm')
    const conditions = texts.flatMap((text) => [...text.matchAll(definition)].map(([, condition]) => condition))
    return conditions.at(-1) ?? expect.fail(`no view ${view}`)
  }

  test.each([
    ['counted_settlements', settlementStates.filter((name) => !releasedStates.includes(name))],
    ['open_settlements', openStates],
  ])('the view %s has settlements in exactly these states: %s', async (view, states) => {
    const money = await openMoneyFixture()
    const rows = await money.platform.db.query<{ state: SettlementState }>(
      sql`SELECT state FROM unnest(${settlementStates}::text[]) AS state WHERE ${sql.raw(conditionOf(view))}`,
    )
    await money.close()
    expect(rows.map(({ state: found }) => found)).toEqual(states)
  })
})
