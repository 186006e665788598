import { APPROVE_MAX_BYTES, measureFirstLoad } from '@/scripts/portal/first-load'
import { openDemoSession } from '@/scripts/portal/session'
import { demoPerson } from '@/server/surfaces/seed/demo-person'
import { Agent, Person } from '@/test/support/actors'
import { expect, test } from '../support/own-server'

test('the approve page loads at most 180 kB of JavaScript, gzipped', { tag: '@phone' }, async ({ ownServer }) => {
  const agent = await Agent.register(ownServer, demoPerson.id)
  expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
  const [pending] = await (await Person.signIn(ownServer, demoPerson.id)).pending()
  const { name, value } = await openDemoSession(ownServer.baseUrl)
  const url = `${ownServer.baseUrl}/approve/${String(pending?.['authorization_id'])}`
  const { gzipBytes, scripts } = await measureFirstLoad(url, { cookie: `${name}=${value}` })
  expect(gzipBytes, scripts.map(({ path, gzipBytes: bytes }) => `${bytes} ${path}`).join('\n')).toBeLessThanOrEqual(
    APPROVE_MAX_BYTES,
  )
})
