import { agentsText } from '@/components/agents/messages'
import { consentText } from '@/components/approvals/messages'
import { cardsText } from '@/components/cards/messages'
import { credentialsText } from '@/components/credentials/messages'
import { paymentsText } from '@/components/payments/messages'
import { expect, test } from '../support/fixtures'
import { newcomer } from '../support/newcomer'
import { shown, visit } from '../support/portal'
import { openSession } from '../support/sign-in'

const { list } = consentText

/** Each list that a newcomer finds empty: what it says, and the link that leads on. */
const lists = [
  ['/payments', paymentsText.empty.title, paymentsText.empty.agents, '/agents'],
  ['/agents', agentsText.empty.title, agentsText.connect, '/agents/new'],
  ['/approvals', list.emptyWaiting.title, list.emptyWaiting.change, '/settings/notifications'],
  ['/approvals?tab=decided', list.emptyDecided.title, list.emptyDecided.waiting, '/approvals'],
  ['/cards', cardsText.empty.title, cardsText.test.title, '#test-cards'],
  ['/settings/credentials', credentialsText.issued.empty.title, credentialsText.add.title, '#add'],
] as const

test('every empty list says so and leads on', async ({ page, target }) => {
  const { email } = await newcomer(target)
  await openSession(page, target, email)
  for (const [path, title, link, href] of lists) {
    await visit(page, path)
    await expect(shown(page, title)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: link }).last()).toHaveAttribute('href', href)
  }
})

test('an empty list of agents offers once to connect one', { tag: '@phone' }, async ({ page, target }) => {
  const { email } = await newcomer(target)
  await openSession(page, target, email)
  await visit(page, '/agents')
  await expect(page.getByRole('main').getByRole('link', { name: agentsText.connect })).toHaveCount(1)
})
