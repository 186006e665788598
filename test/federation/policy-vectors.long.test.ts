/** The public vectors of metadata policies through `/federation/resolve`: all of them. */
import { expect, test } from 'vitest'
import { everyVector, resolveVectors } from './policy-vectors'

test('B14, B17 all 2,019 public vectors of metadata policies resolve over HTTP to what they say', async () => {
  const vectors = everyVector(1)
  expect(vectors).toHaveLength(2_019)
  const { tally, differences } = await resolveVectors(vectors)
  expect(differences).toEqual([])
  expect(tally).toEqual({ resolved: 1_253, invalid_metadata: 766 })
})
