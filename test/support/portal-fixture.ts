import { installPlatform } from '@/server/base/platform/container'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { Browser, newPortalPerson } from './browser'
import { type MoneyFixture, openMoneyFixture, type Person } from './money-fixture'

export interface PortalFixture extends MoneyFixture {
  /** The person whom `openPage` signs in. */
  readonly ada: Person
  /** Another person of the portal, whose data Ada must not see. */
  readonly eve: Person
  /** Opens a browser with a new session of Ada. */
  openPage(): Promise<Browser>
}

/** Opens the money slices with two people of the portal, each with an agent and a card. */
export async function openPortalFixture(): Promise<PortalFixture> {
  const money = await openMoneyFixture()
  // Another person precedes Ada.
  await newPortalPerson(money.platform, { id: 'somebody', email: 'somebody@demo.test' })
  const ada = await money.person({ tenantId: PORTAL_TENANT_ID, email: 'ada@demo.test' })
  const eve = await money.person({ tenantId: PORTAL_TENANT_ID, email: 'eve@demo.test' })
  return {
    ...money,
    ada,
    eve,
    openPage: async () => {
      const page = new Browser(money.platform)
      await page.signInAsDemo()
      return page
    },
    close: async () => {
      installPlatform(null)
      await money.close()
    },
  }
}
