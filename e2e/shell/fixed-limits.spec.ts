/** Section 12 of the portal's design: what its pages may weigh and fill, on a phone and in a wallet in daily use. */
import { consentText } from '@/components/approvals/messages'
import { homeText } from '@/components/home/messages'
import { PAGE_MAX_BYTES } from '@/scripts/portal/first-load'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { Agent, must, type Target } from '@/test/support/actors'
import { pageHeight, scriptBytes, untilQuiet, wordsInMain } from '../support/browser-measures'
import { expect, test } from '../support/busy-server'
import { expectWithin, type Figure, named, pagesOf } from '../support/figures'
import { visit } from '../support/portal'

test.use({ viewport: { width: 360, height: 740 } })
test.describe.configure({ timeout: 600_000 })

test('no page loads more scripts by itself than the budget allows', { tag: ['@long', '@phone'] }, async ({
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

test('what a person came for is not far down, and not in too many words', {
  tag: ['@long', '@phone'],
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

/** At most three requests of one agent may wait. */
async function askMore(target: Target, count: number): Promise<void> {
  let agent: Agent | undefined
  for (let asked = 0; asked < count; asked += 1) {
    if (agent === undefined || asked % 3 === 0) agent = await Agent.register(target, demoPerson.id)
    must(await agent.push((await agent.purchase()).form), 201)
  }
}
