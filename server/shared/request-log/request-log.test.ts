import { describe, expect, test } from 'vitest'
import type { Actor } from '../../base/core/call'
import type { Cache, Platform } from '../../base/core/platform'
import { createMemoryCache } from '../../base/platform/cache/memory'
import { noteRequest, readRequestLog } from '.'

const wallet = (principalId: string): Actor => ({
  kind: 'wallet',
  principalId,
  tenantId: 'tenant',
  via: 'token',
  token: {
    agentClientId: null,
    mayPay: false,
    acr: 'phr',
    authTime: new Date('2026-11-21T10:00:00Z'),
    isActive: () => Promise.resolve(true),
  },
  session: null,
})

function platformWith({ sandbox = true, cache = createMemoryCache() }: { sandbox?: boolean; cache?: Cache } = {}) {
  let now = new Date('2026-11-21T10:00:00Z')
  const clock = { now: () => now }
  const platform = { config: { sandbox }, clock, cache } as unknown as Platform
  return { platform, advance: (seconds: number) => (now = new Date(now.getTime() + seconds * 1000)) }
}

const record = (id: string) => ({
  request_id: id,
  operation: 'readLimits',
  method: 'GET',
  status: 200,
  error: null,
  ms: 1,
})

/** Waits until a noted request is written, which happens in the background. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

const idsOf = async (platform: Platform, principalId: string) =>
  (await readRequestLog(platform, principalId)).map(({ request_id }) => request_id)

describe('the request log', () => {
  test('the request log keeps what each person’s agents and tokens asked, the newest first', async () => {
    const { platform } = platformWith()
    const agent: Actor = {
      kind: 'agent',
      clientId: 'agent-1',
      principalId: 'ada',
      tenantId: 'tenant',
      familyId: 'family',
      jkt: 'jkt',
      audience: [],
      scope: [],
    }
    noteRequest(platform, wallet('ada'), record('one'))
    noteRequest(platform, agent, record('two'))
    noteRequest(platform, wallet('eve'), record('three'))
    await settled()
    noteRequest(platform, agent, { ...record('four'), status: 403, error: 'limit_exceeded' })
    await settled()
    expect(await readRequestLog(platform, 'ada')).toEqual([
      { ...record('four'), status: 403, error: 'limit_exceeded', client_id: 'agent-1', at: '2026-11-21T10:00:00.000Z' },
      { ...record('two'), client_id: 'agent-1', at: '2026-11-21T10:00:00.000Z' },
      { ...record('one'), client_id: null, at: '2026-11-21T10:00:00.000Z' },
    ])
    expect(await idsOf(platform, 'eve')).toEqual(['three'])
    expect(await idsOf(platform, 'nobody')).toEqual([])
  })

  test('the request log keeps the newest hundred, also of what comes at once, and nothing older than seven days', async () => {
    const { platform, advance } = platformWith()
    for (let at = 1; at <= 130; at += 1) noteRequest(platform, wallet('ada'), record(String(at)))
    await settled()
    const kept = await idsOf(platform, 'ada')
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, '130', '31'])
    advance(7 * 86_400 - 600)
    noteRequest(platform, wallet('ada'), record('late'))
    await settled()
    advance(601)
    expect(await idsOf(platform, 'ada')).toEqual(['late'])
  })

  test('the request log keeps nothing of people who act in the portal, of nobody, and outside of the sandbox', async () => {
    const { platform } = platformWith()
    noteRequest(platform, { ...wallet('ada'), via: 'portal' } as Actor, record('portal'))
    noteRequest(platform, { kind: 'anonymous' }, record('anonymous'))
    noteRequest(platform, null, record('unknown'))
    const live = platformWith({ sandbox: false })
    noteRequest(live.platform, wallet('ada'), record('live'))
    await settled()
    expect(await idsOf(platform, 'ada')).toEqual([])
    expect(await idsOf(live.platform, 'ada')).toEqual([])
  })

  test('the request log is lost, and no more than that, while the cache does not answer', async () => {
    const memory = createMemoryCache()
    let isDown = true
    const cache = new Proxy(memory, {
      get: (target, name: keyof Cache) =>
        name === 'prepend' && isDown ? () => Promise.reject(new Error('away')) : target[name].bind(target),
    })
    const { platform } = platformWith({ cache })
    noteRequest(platform, wallet('ada'), record('lost'))
    await settled()
    isDown = false
    noteRequest(platform, wallet('ada'), record('kept'))
    await settled()
    expect(await idsOf(platform, 'ada')).toEqual(['kept'])
  })
})
