import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { magicAmounts, testCardNames, testCards } from '@/server/base/platform/processor/sandbox-cards'
import { settleOwnMandate } from '@/server/money/settlement'
import { mutableEvents } from '@/server/shared/notifications/contract'
import { Agent, exchange, newPrincipal } from '../support/actors'
import { type App, startApp } from '../support/app'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/payments.md'), 'utf8')

/** The rows of the table under a heading, as their cells. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`)
  const lines = (section.split('\n## ')[0]?.split('\n### ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

const cards = tableUnder('### Test cards')
const amounts = tableUnder('### Magic amounts')

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function settleWith(card: string, amount: number) {
  const { principalId } = await newPrincipal(app, { card, approval_rule: 'above_limits' })
  const agent = await Agent.register(app, principalId)
  const { access_token, mandate_jwt } = await agent.buy({ amount_minor: amount })
  return agent.settle<{ error?: string; failure?: { code: string } }>(access_token, mandate_jwt, 'documented')
}

/** What a cell promises: `402, failure.code card_declined`, `403 step_up_required until …`, `every payment succeeds`. */
function promised(words: string) {
  if (words === 'every payment succeeds') return [200]
  const [, status = '', , word] = /^(\d{3})(, failure\.code| )?\s*([a-z_]+)?/.exec(words) ?? []
  return status === '402' || status === '403' ? [Number(status), word] : [Number(status)]
}

describe('what the sandbox plays', () => {
  test('every behaviour that the sandbox simulates is documented', () => {
    expect(cards.map(([name, number]) => [name, number?.replaceAll(' ', '')])).toEqual(
      testCardNames.map((name) => [name, testCards[name].number]),
    )
    expect(amounts.map(([amount]) => amount)).toEqual(Object.keys(magicAmounts))
  })

  test.each(cards)('card %s (%s): %s', async (name = '', _number = '', words = '') => {
    const { status, json } = await settleWith(name, 1_200)
    const detail = json.failure?.code ?? (status === 403 ? json.error : undefined)
    expect(detail === undefined ? [status] : [status, detail]).toEqual(promised(words))
  })

  test.each(amounts)('amount %s: %s', async (amount = '', words = '') => {
    const { status, json } = await settleWith('success', Number(amount))
    const detail = json.failure?.code ?? (status === 403 ? json.error : undefined)
    expect(detail === undefined ? [status] : [status, detail]).toEqual(promised(words))
  })
})

test('exactly the events that can be muted are documented as such', () => {
  const rows = tableUnder('### Events and channels')
  expect(rows.flatMap(([event = '']) => (event === '–' ? [] : [event]))).toEqual([...mutableEvents])
  expect(rows.filter(([event, , email = '']) => email.includes('unless muted') !== (event !== '–'))).toEqual([])
})

describe('the answers of a settlement', () => {
  test('the answers of a settlement are all documented', () => {
    const answers = tableUnder('## Settling a mandate').map(([answer = '']) => answer)
    const named = answers.flatMap((answer) => answer.match(/[a-z]+(?:_[a-z]+)+|\bforbidden\b/g) ?? [])
    expect(named).toEqual(expect.arrayContaining([...settleOwnMandate.endpoint.refusals]))
  })

  test('the answers of a settlement are shown at /docs/payments', async () => {
    const { status, text } = await exchange(`${app.baseUrl}/docs/payments`)
    expect([status, text.includes('<h2 id="settling-a-mandate">')]).toEqual([200, true])
  })
})
