import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { ageText } from '@/components/age/messages'
import { walletCommand } from '@/scripts/wallet/command'
import type { Target } from '@/test/support/actors'
import { expectNoViolations } from '../support/accessible'
import { expect, test } from '../support/fixtures'
import { shown, visit } from '../support/portal'
import { orderAt } from '../support/shop'
import { readOutbox } from '../support/sign-in'

const GIN = { merchantId: 'copper-still', title: 'Harvest gin, 20 cl', quantity: 1 }
const AGE = 18
/** Below it the wallet app is on the same device, and a link opens it. */
const SMALL_WIDTH = 640
const { request } = ageText

test.use({ personOptions: { card: 'success', approval_rule: 'above_limits' } })

test('a person proves their age once, and their agent buys what is sold to adults', { tag: '@long' }, async ({
  page,
  target,
  person,
  agent,
}) => {
  const wallet = await TestWallet.open(target)
  await wallet.run('pid', '--region', 'E2E-AGE')

  await test.step('without a proof the purchase leads to the page where it is given', async () => {
    const refused = await agent.pay(await orderAt(agent, GIN))
    expect(refused.data).toEqual({ status: 'setup_required' })
    expect(refused.text).toContain(`${target.baseUrl}/settings/age?age=${AGE}`)
    await visit(page, `/settings/age?age=${AGE}`)
    await expect(shown(page, ageText.asked.title(AGE))).toBeVisible()
    await expect(shown(page, ageText.none.title)).toBeVisible()
    await expectNoViolations(page, 'an age that is not proven yet')
  })

  await test.step('a wallet app that refuses proves nothing', async () => {
    await wallet.run('present', await startProof(page), '--decline')
    await expect(shown(page, request.refused.title)).toBeVisible()
    await page.getByRole('button', { name: request.another }).click()
    await expect(shown(page, ageText.none.title)).toBeVisible()
  })

  await test.step('a wallet app that answers proves the age', async () => {
    const link = await startProof(page)
    const isPhone = (page.viewportSize()?.width ?? 0) < SMALL_WIDTH
    await expect(page.getByRole('img', { name: request.qr })).toBeVisible({ visible: !isPhone })
    await expectNoViolations(page, 'a request that waits for a wallet app')
    await wallet.run('present', link)
    await expect(shown(page, request.verified.title)).toBeVisible()
    await page.getByRole('button', { name: request.verified.see }).click()
    await expect(shown(page, ageText.reached(AGE), { exact: true })).toBeVisible()
    await expect(shown(page, ageText.asked.done)).toBeVisible()
    await expectNoViolations(page, 'an age that is proven')
    const subjects = async () => (await readOutbox(target, person.email)).map(({ subject }) => subject)
    await expect.poll(subjects).toContain('Your age was proven')
  })

  await test.step('the merchant reads the age in the mandate, and nothing else about the person', async () => {
    const { data } = await agent.pay(await orderAt(agent, GIN))
    expect(data).toMatchObject({ status: 'paid', receipt: { age_equal_or_over: { [AGE]: true } } })
    expect(JSON.stringify(data['receipt'])).not.toContain(person.principalId)
  })

  await test.step('once it is removed, the agent cannot buy there any more', async () => {
    await page.getByRole('button', { name: ageText.removeName(AGE) }).click()
    const dialog = page.getByRole('alertdialog', { name: ageText.removeTitle })
    await dialog.getByRole('button', { name: ageText.remove }).click()
    await expect(shown(page, ageText.removed)).toBeVisible()
    await expect(shown(page, ageText.none.title)).toBeVisible()
    const refused = await agent.pay(await orderAt(agent, { ...GIN, quantity: 2 }))
    expect(refused.data).toEqual({ status: 'setup_required' })
  })
  await wallet.close()
})

/** Starts a proof on the page, and answers the link that a wallet app opens. */
async function startProof(page: Page): Promise<string> {
  await page.getByRole('button', { name: ageText.prove(AGE) }).click()
  await expect(page.getByRole('heading', { name: request.title, level: 1 })).toBeVisible()
  const link = await page.getByRole('link', { name: request.open }).getAttribute('href')
  expect(link).toMatch(/^openid4vp:/)
  return link ?? ''
}

/** `npm run wallet` with a folder of its own. */
class TestWallet {
  private constructor(
    private readonly target: Target,
    private readonly home: string,
  ) {}

  static async open(target: Target): Promise<TestWallet> {
    return new TestWallet(target, await mkdtemp(path.join(tmpdir(), 'countersign-wallet-')))
  }

  async run(...args: string[]): Promise<void> {
    const { baseUrl, operatorToken } = this.target
    const env = { BASE_URL: baseUrl, OPERATOR_TOKEN: operatorToken }
    expect(await walletCommand([...args, '--home', this.home], env)).toMatchObject({ code: 0 })
  }

  close(): Promise<void> {
    return rm(this.home, { recursive: true, force: true })
  }
}
