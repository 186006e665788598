import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readRequestLog } from '@/server/shared/request-log'
import { Agent, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('requests by a person’s agents and tokens are logged with error codes and without their content', async () => {
  const { principalId } = await newPrincipal(app)
  const agent = await Agent.register(app, principalId)
  const { form } = await agent.purchase()
  expect((await agent.push(form)).status).toBe(201)
  expect((await agent.push({ ...form, response_type: 'token' })).status).toBe(400)
  const person = await Person.signIn(app, principalId)
  await person.pending()
  const read = () => readRequestLog(app.platform, principalId)
  await vi.waitFor(async () => expect((await read()).length).toBeGreaterThanOrEqual(3))
  const log = await read()
  const refused = log.find(({ status }) => status === 400)
  expect(refused).toMatchObject({
    method: 'POST',
    client_id: agent.clientId,
    error: expect.stringMatching(/^[a-z_]+$/),
  })
  expect(log.find(({ status }) => status === 201)).toMatchObject({ operation: refused?.operation, error: null })
  expect(log.filter(({ client_id }) => client_id === null).length).toBeGreaterThanOrEqual(1)
  for (const entry of log) {
    expect(Object.keys(entry).toSorted()).toEqual(
      ['at', 'client_id', 'error', 'method', 'ms', 'operation', 'request_id', 'status'].toSorted(),
    )
  }
  const other = await newPrincipal(app)
  expect(await readRequestLog(app.platform, other.principalId)).toEqual([])
})
