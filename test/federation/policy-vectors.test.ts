/** The public vectors of metadata policies through `/federation/resolve`; `npm run test:rest` takes all of them. */
import { expect, test } from 'vitest'
import { everyVector, resolveVectors } from './policy-vectors'

test('B14, B17 every thirteenth public vector of metadata policies resolves over HTTP to what it says', async () => {
  const { tally, differences } = await resolveVectors(everyVector(13))
  expect(differences).toEqual([])
  expect(Object.keys(tally).toSorted()).toEqual(['invalid_metadata', 'resolved'])
}, 60_000)
