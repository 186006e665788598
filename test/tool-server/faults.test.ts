import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultWorld, openFaultWorld } from './fault-world'
import { type Buyer, type Fault, newBuyer, playRound, wrongCharges } from './faults'
import { removeHomes } from './tool-host'

let world: FaultWorld
let buyer: Buyer
beforeAll(async () => {
  world = await openFaultWorld()
  buyer = await newBuyer(world)
})
afterAll(async () => {
  await buyer.host.close()
  await world.close()
  await removeHomes()
})

const faults: Fault[] = [
  { victim: 'tool server', moment: 'before', message: 2, route: 'merchant_base_api' },
  { victim: 'tool server', moment: 'after', message: 5, route: 'merchant_verify_url' },
  { victim: 'tool server', moment: 'after', message: 7, route: 'merchant_base_api' },
  { victim: 'tool server', moment: 'after', message: 8, route: 'merchant_verify_url' },
  { victim: 'authorization server', moment: 'after', message: 4, route: 'merchant_base_api' },
  { victim: 'authorization server', moment: 'after', message: 7, route: 'merchant_verify_url' },
]

test.each(faults.map((fault, index) => ({ ...fault, price: 500 + index })))(
  'B37 the same call resumes when the $victim is killed $moment message $message on $route, and pays once',
  async ({ price, ...fault }) => {
    expect(await playRound(world, buyer, { fault, price })).toEqual([])
    expect(await wrongCharges(world, buyer, [price])).toEqual([])
  },
)
