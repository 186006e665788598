/** B13 to B17: the server beside a second resolver that is written from the standard's text alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../support/app'
import { judgeFederations } from './judged-federations'

/** Another seed makes other federations: `npm run fuzz:federations -- --count 20000 --seed N`. */
const SEED = 20_261_128
const COUNT = 200

let app: App
beforeAll(async () => {
  app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
})
afterAll(() => app.close())

test(`B13 to B17 ${COUNT} random federations (seed ${SEED}) are judged as by a naive resolver, by whole and shortest chains`, async () => {
  const { tally, differences } = await judgeFederations(app, { count: COUNT, seed: SEED })
  expect(differences).toEqual([])
  // Federations that are all refused for one reason would show nothing.
  const expected = ['invalid_subject', 'invalid_trust_chain', 'invalid_metadata']
  const lengths = [3, 4, 5, 6].map((length) => `resolved, ${length} statements`)
  expect(Object.keys(tally)).toEqual(expect.arrayContaining([...expected, ...lengths]))
}, 120_000)
