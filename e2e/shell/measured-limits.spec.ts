/** Section 12 of the portal's design: what its pages may weigh, take and fill, on a phone and in a wallet in daily use. */
import type { Page } from '@playwright/test'
import type { BusyWallet } from '@/bench/support/busy-wallet'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import { homeText } from '@/components/home/messages'
import { PAGE_MAX_BYTES } from '@/scripts/portal/first-load'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { Agent, must, type Target } from '@/test/support/actors'
import {
  forgetPress,
  imitatePhone,
  pageHeight,
  paintAndShift,
  pressDuration,
  recordMeasures,
  scriptBytes,
  untilQuiet,
  wordsInMain,
} from '../support/browser-measures'
import { expect, test } from '../support/busy-server'
import { visit, WALLET_PAGES } from '../support/portal'

const PAINT_MAX_MS = 2_000
const SHIFT_MAX = 0.05
const PRESS_MAX_MS = 200
/** A machine with other work is slow now and then; a page that is slow is so each time. */
const TRIES = 3

interface Figure {
  readonly what: string
  readonly figure: number
  readonly limit: number
}

/** Prints the figures beside their limits, and fails for those above. */
function expectWithin(title: string, figures: readonly Figure[]): void {
  const lines = figures.map(({ what, figure, limit }) => {
    const rounded = figure < 1 ? figure.toFixed(3) : Math.round(figure).toLocaleString('en')
    return `  ${what.padEnd(44)} ${rounded.padStart(9)}  of ${limit.toLocaleString('en')}${figure > limit ? '  ABOVE' : ''}`
  })
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`)
  for (const { what, figure, limit } of figures) expect.soft(figure, `${title}: ${what}`).toBeLessThanOrEqual(limit)
}

function pagesOf({ agentId, merchant, paymentId, pendingId }: BusyWallet): string[] {
  return [
    ...WALLET_PAGES,
    `/approve/${pendingId}`,
    `/agents/${agentId}`,
    `/payments/${paymentId}`,
    `/payments?merchant=${encodeURIComponent(merchant)}`,
  ]
}

/** The page's address as the table names it. */
const named = (address: string) => address.replace(/(?<=\/(?:approve|agents|payments)\/|merchant=)(?!new$).+/, '…')

/** The least of up to three figures, or the first that is within its limit. */
async function bestOf(limit: number, measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best > limit; tries += 1) best = Math.min(best, await measure())
  return best
}

test.use({ viewport: { width: 360, height: 740 } })
test.describe.configure({ timeout: 600_000 })

test('no page loads more scripts by itself than the budget allows', { tag: ['@long', '@phone', '@measured'] }, async ({
  page,
  busy,
}) => {
  const figures: Figure[] = []
  for (const address of pagesOf(busy.wallet)) {
    await visit(page, address)
    await untilQuiet(page)
    const figure = await scriptBytes(page)
    expect(figure).toBeGreaterThan(0)
    figures.push({ what: named(address), figure, limit: PAGE_MAX_BYTES })
  }
  expectWithin('Bytes of scripts', figures)
})

test('every page is painted soon and stays where it is, on a slow phone', {
  tag: ['@long', '@phone', '@measured'],
}, async ({ page, busy }) => {
  await recordMeasures(page)
  await imitatePhone(page)
  const painted: Figure[] = []
  const shifted: Figure[] = []
  for (const address of pagesOf(busy.wallet)) {
    let shift = 0
    const paint = await bestOf(PAINT_MAX_MS, async () => {
      await visit(page, address)
      await untilQuiet(page)
      const measured = await paintAndShift(page)
      shift = Math.max(shift, measured.shift)
      return measured.paintedAtMs
    })
    expect(paint).toBeGreaterThan(0)
    painted.push({ what: named(address), figure: paint, limit: PAINT_MAX_MS })
    shifted.push({ what: named(address), figure: shift, limit: SHIFT_MAX })
  }
  expectWithin('Largest paint in ms, with a quarter of the processor on a slow 4G', painted)
  expectWithin('Layout shift, in the same loads', shifted)
})

test('what a person came for is not far down, and not in too many words', {
  tag: ['@long', '@phone', '@measured'],
}, async ({ page, busy }) => {
  const { agentId, pendingId } = busy.wallet
  const look = async (address: string) => {
    await visit(page, address)
    await untilQuiet(page)
    return { height: await pageHeight(page), words: await wordsInMain(page) }
  }
  const rows = page.getByRole('list', { name: consentText.list.waiting }).getByRole('listitem')
  const home = await look('/')
  await expect(page.getByRole('link', { name: homeText.allWaiting(8) })).toBeVisible()
  const approve = await look(`/approve/${pendingId}`)
  await expect(page.getByRole('heading', { name: consentText.exceeded.heading(2) })).toBeVisible()
  const limits = await look('/limits')
  const agent = await look(`/agents/${agentId}`)
  await askMore(busy.server, 22)
  const waiting = await look('/approvals')
  await expect(rows).toHaveCount(30)
  expectWithin('Height on a phone in px', [
    { what: 'home, eight waiting', figure: home.height, limit: 1_500 },
    { what: 'approve, two limits and one item', figure: approve.height, limit: 1_300 },
    { what: 'limits', figure: limits.height, limit: 2_000 },
    { what: 'agent', figure: agent.height, limit: 1_900 },
    { what: 'approvals, thirty waiting', figure: waiting.height, limit: 2_600 },
  ])
  expectWithin('Words in the main part', [
    { what: 'home', figure: home.words, limit: 130 },
    { what: 'approve', figure: approve.words, limit: 170 },
    { what: 'limits', figure: limits.words, limit: 300 },
  ])
})

test('presses are answered at once, on a slow phone', { tag: ['@long', '@phone', '@measured'] }, async ({ page }) => {
  await recordMeasures(page)
  await imitatePhone(page)
  const press = (open: string, act: (opened: Page) => Promise<void>) =>
    bestOf(PRESS_MAX_MS, async () => {
      await visit(page, open)
      await untilQuiet(page)
      await act(page)
      return pressDuration(page)
    })
  const tab = await press('/approvals', (opened) => opened.getByRole('tab', { name: consentText.list.decided }).tap())
  const filter = await press('/approvals', (opened) =>
    opened.getByRole('radio', { name: consentText.list.order.agent }).tap({ force: true }),
  )
  const approve = await press('/approvals', async (opened) => {
    await opened.getByRole('list', { name: consentText.list.waiting }).getByRole('link').last().tap()
    const button = opened.getByRole('button', { name: decisionText.approve('').trim() })
    await expect(button).toBeEnabled()
    await forgetPress(opened)
    await button.tap()
  })
  expectWithin('Longest press in ms, with a quarter of the processor', [
    { what: 'the tab “Decided”', figure: tab, limit: PRESS_MAX_MS },
    { what: 'the order by agent', figure: filter, limit: PRESS_MAX_MS },
    { what: 'Approve', figure: approve, limit: PRESS_MAX_MS },
  ])
})

/** At most three requests of one agent may wait. */
async function askMore(target: Target, count: number): Promise<void> {
  let agent: Agent | undefined
  for (let asked = 0; asked < count; asked += 1) {
    if (agent === undefined || asked % 3 === 0) agent = await Agent.register(target, demoPerson.id)
    must(await agent.push((await agent.purchase()).form), 201)
  }
}
