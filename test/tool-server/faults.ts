import { newPrincipal, newSetupToken, Person, REDIRECT_URI } from '../support/actors'
import { type FaultWorld, faultyFiles, type Moment } from './fault-world'
import { newHome, ToolHost } from './tool-host'

/** Who is killed, and at which message of the purchase. */
export interface Fault {
  readonly victim: 'tool server' | 'authorization server'
  readonly moment: Moment
  /** Counted from 0. A purchase has about ten messages. */
  readonly message: number
  readonly route: 'merchant_base_api' | 'merchant_verify_url'
}

/** An agent whose tool server is killed and started again. */
export interface Buyer {
  readonly principalId: string
  readonly home: string
  host: ToolHost
}

/** How long the same call may take to come to its end: a charge whose server died is looked up by its jobs. */
const ROUND_MS = 90_000
const LIMITS = { RETRY_FIRST_MS: 50, SETTLE_BUDGET_MS: 1_000 }

const startHost = (home: string) => ToolHost.start(home, { limits: LIMITS })

export async function newBuyer(world: FaultWorld): Promise<Buyer> {
  const { principalId } = await newPrincipal(world, { approval_rule: 'above_limits' })
  const home = await newHome()
  const host = await startHost(home)
  const setup = { setup_token: await newSetupToken(world, principalId), as_url: world.baseUrl }
  const registered = await host.call('agent_register', { ...setup, redirect_uris: [REDIRECT_URI] })
  if (registered.isError) throw new Error(registered.texts.join(' '))
  return { principalId, home, host }
}

/** Buys something for this price, with one fault on the way; says what went wrong. */
export async function playRound(world: FaultWorld, buyer: Buyer, round: { fault: Fault; price: number }) {
  const order = orderFor(world, round)
  arm(world, buyer, round.fault)
  try {
    return (await payAtLast(world, buyer, order)) ?? (await faultyFiles(buyer.home))
  } finally {
    // A fault behind the last message of this purchase is not one of the next.
    world.watch = () => undefined
  }
}

/** Makes the same call until it is paid; says why it never was. */
async function payAtLast(world: FaultWorld, buyer: Buyer, order: object): Promise<string[] | null> {
  const giveUpAt = Date.now() + ROUND_MS
  for (;;) {
    const answer = await buyer.host.call('agent_payment_initiate', order).catch(() => null)
    await world.untilUp()
    if (answer?.data['status'] === 'paid') return null
    if (Date.now() > giveUpAt) return [`never paid: ${answer?.texts[0] ?? 'no answer'}`]
    if (answer === null) buyer.host = await startHost(buyer.home)
  }
}

/** Kills the victim at the message, once. */
function arm(world: FaultWorld, buyer: Buyer, { victim, moment: wanted, message }: Fault): void {
  let passed = 0
  world.watch = (moment) => {
    if (moment !== wanted) return
    passed += 1
    if (passed - 1 !== message) return
    if (victim === 'tool server') buyer.host.kill()
    else world.crash()
    throw new Error('killed')
  }
}

function orderFor({ shop, baseUrl }: FaultWorld, { fault: { route }, price }: { fault: Fault; price: number }) {
  return {
    merchant_url: shop.url,
    [route]: route === 'merchant_base_api' ? `${shop.url}/api` : `${baseUrl}/merchant_test/verify-mandate`,
    amount: { currency: 'EUR', amount_minor: price },
    line_items: [{ sku: 'thing', qty: 1, unit_price_minor: price, currency: 'EUR' }],
    redirect_uri: REDIRECT_URI,
  }
}

/** What of these prices was not charged exactly once. */
export async function wrongCharges(world: FaultWorld, { principalId }: Buyer, prices: readonly number[]) {
  const person = await Person.signIn(world, principalId)
  type History = { readonly payments: readonly { readonly amount_minor: number }[] }
  const { json } = await person.call<History>('GET', '/wallet/payment-history?limit=100')
  const charged = json.payments.map(({ amount_minor }) => amount_minor)
  return prices.flatMap((price) => {
    const count = charged.filter((amount) => amount === price).length
    return count === 1 ? [] : [`${price} was charged ${count} times`]
  })
}
