import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, newPrincipal, type Target } from '../support/actors'
import { aloneIn, type Member, startMember, stopMember } from './cluster'

const PAGES = ['/', '/sign-in', '/approvals', '/api/trpc/session.changes', '/_next/static/x.js', '/no/such/page']

describe('ROLE=api', () => {
  let dataDir: string
  let member: Member
  let target: Target
  let log: Promise<string>
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-api-'))
    const env = { ...aloneIn(dataDir), ROLE: 'api' }
    member = await startMember(env, 'pipe')
    log = member.process.stdout === null ? Promise.resolve('') : text(member.process.stdout)
    const operatorToken = (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim()
    target = { baseUrl: `http://localhost:${member.port}`, operatorToken }
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  test('an agent buys from a process without the portal', async () => {
    const { principalId } = await newPrincipal(target, { card: 'success', approval_rule: 'above_limits' })
    const agent = await Agent.register(target, principalId)
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    const settled = await agent.settle<{ status: string }>(token, mandate, 'order-1')
    expect(settled).toMatchObject({ status: 200, json: { status: 'succeeded' } })
  })

  test.each(PAGES)('%s names nothing there', async (page) => {
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(target.baseUrl + page, { headers: { accept } })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toMatchObject({ error: 'not_found' })
    }
  })

  test('it ends without a word that is no line of the log', async () => {
    await stopMember(member)
    expect(member.process.exitCode).toBe(0)
    const lines = (await log).trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(PAGES.length)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info', message: expect.any(String) })
  })
})
