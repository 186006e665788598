/** Section 12 of the portal's design: how long its pages may take, on a phone and in a wallet in daily use. */
import type { Page } from '@playwright/test'
import { decisionText } from '@/components/approvals/decision-messages'
import { consentText } from '@/components/approvals/messages'
import {
  forgetPress,
  imitatePhone,
  paintAndShift,
  pressDuration,
  recordMeasures,
  untilQuiet,
} from '../support/browser-measures'
import { expect, test } from '../support/busy-server'
import { expectWithin, type Figure, named, pagesOf } from '../support/figures'
import { visit } from '../support/portal'

const PAINT_MAX_MS = 2_000
const SHIFT_MAX = 0.05
const PRESS_MAX_MS = 200
/** A machine with other work is slow now and then; a page that is slow is so each time. */
const TRIES = 3

/** The least of up to three figures, or the first that is within its limit. */
async function bestOf(limit: number, measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && best > limit; tries += 1) best = Math.min(best, await measure())
  return best
}

test.use({ viewport: { width: 360, height: 740 } })
test.describe.configure({ timeout: 600_000 })

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
