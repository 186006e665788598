/** Decisions A1, D1 and D14: trust lists of several servers. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readTrustedIssuers } from '@/server/credentials/trust-lists'
import { must, operate } from '../support/actors'
import { startApp } from '../support/app'
import { openTestDatabase } from '../support/database'

const issuer = (address: string) => ({ issuer: address, algs: ['ES256'] })

test('D1 a change holds at once in every process', async () => {
  const database = await openTestDatabase()
  const secret = () => randomBytes(32).toString('hex')
  const env = { KEY_ENCRYPTION_KEY: secret(), OPERATOR_TOKEN: secret() }
  const [one, other] = [await startApp({ database, env }), await startApp({ database, env })]
  try {
    const seen = () => readTrustedIssuers({ platform: other.platform, now: other.clock.now() }, 'EU')
    for (const issuers of [[issuer('https://a.example')], [], ['https://a.example', 'https://b.example'].map(issuer)]) {
      must(await operate(one, 'PUT', '/trust-lists/EU', { issuers }), 200)
      expect(await seen()).toHaveLength(issuers.length + 1)
    }
    expect((await operate(one, 'DELETE', '/trust-lists/EU')).status).toBe(204)
    expect(await seen()).toBeNull()
  } finally {
    await one.close()
    await other.close()
    await database.close()
  }
})

test('D14 an issuer on loopback is refused outside a trial', async () => {
  const strict = await startApp({ env: { OUTBOUND_LOOPBACK: 'false' } })
  try {
    for (const address of ['http://127.0.0.1:4000/a', 'https://localhost:8443']) {
      const { status } = await operate(strict, 'PUT', '/trust-lists/EU', { issuers: [issuer(address)] })
      expect([address, status]).toEqual([address, 422])
    }
  } finally {
    await strict.close()
  }
})
