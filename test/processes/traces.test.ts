import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spanAttributes } from '@/server/base/core/telemetry'
import { Agent, must, newPrincipal, type Target } from '../support/actors'
import { type Collector, spanKinds, startCollector } from '../support/collector'
import { aloneIn, type Member, startMember, stopMember } from './cluster'
import { PortalPage } from './portal-page'

let collector: Collector
let dataDir: string
beforeEach(async () => {
  collector = await startCollector()
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-traces-'))
})
afterEach(async () => {
  await collector.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Tells at the end of a process how many files of the tracing library it has loaded. */
const TELL_LOADED = `data:text/javascript,${[
  "import{createRequire}from'node:module'",
  "import{writeSync}from'node:fs'",
  "const{cache}=createRequire('file:///')",
  "process.on('exit',()=>writeSync(1,'loaded:'+Object.keys(cache).filter((name)=>name.includes('/sdk-trace')).length))",
].join(';')}`

/** Starts a process that sends its spans to the collector, unless its environment says otherwise. */
async function start(
  role: 'all' | 'api',
  env: Readonly<Record<string, string>> = {},
): Promise<Target & { readonly member: Member }> {
  const member = await startMember(
    {
      ...aloneIn(dataDir),
      ROLE: role,
      LOG_LEVEL: 'error',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      ...env,
    },
    'pipe',
  )
  const operatorToken = (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim()
  return { baseUrl: `http://localhost:${member.port}`, operatorToken, member }
}

async function buy(target: Target): Promise<void> {
  const { principalId } = await newPrincipal(target, { card: 'success', approval_rule: 'above_limits' })
  const agent = await Agent.register(target, principalId)
  const { access_token: token, mandate_jwt: mandate } = await agent.buy()
  must(await agent.settle(token, mandate, 'order-1'), 200)
}

/** The names of the spans directly below the first one of a name. */
function below(name: string): readonly string[] {
  const parent = collector.spans.find((span) => span.name === name)
  return collector.spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map((span) => span.name)
}

/** Everything that spans say, but for their ids. */
const said = () =>
  collector.spans
    .flatMap(({ name, attributes, status }) => [name, ...Object.values(attributes), JSON.stringify(status)])
    .join('\n')

function expectNothingElse(): void {
  const allowed: readonly string[] = spanAttributes
  expect(new Set(collector.spans.map(({ scope }) => scope))).toEqual(new Set(['countersign']))
  expect(
    collector.spans.flatMap(({ attributes }) => Object.keys(attributes)).filter((one) => !allowed.includes(one)),
  ).toEqual([])
  expect(said()).not.toMatch(/[?@#]|token=|eyJ|https?:/)
}

test('without a collector the tracing library is not loaded', async () => {
  const loaded = async (endpoint: string): Promise<number> => {
    const { member } = await start('api', {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      NODE_OPTIONS: `--import=${TELL_LOADED}`,
    })
    const output = member.process.stdout === null ? '' : text(member.process.stdout)
    await stopMember(member)
    return Number(/loaded:(\d+)/.exec(await output)?.[1])
  }
  expect(await loaded('')).toBe(0)
  expect(await loaded(collector.url)).toBeGreaterThan(0)
})

test('a process without the portal sends its spans, the last ones on stopping', async () => {
  const { member, ...target } = await start('api')
  await buy(target)
  await stopMember(member)
  expect(member.process.exitCode).toBe(0)
  expect(below('POST /settlement/settle')).toContain('processor confirmPaymentIntent')
  expectNothingElse()
})

test('the portal traces its calls; pages and the links that were mailed leave nothing', async () => {
  const { member, ...target } = await start('all')
  await buy(target)
  const { email } = await newPrincipal(target)
  const page = new PortalPage(target.baseUrl)
  const linkToken = await page.signInByMail(email)
  must(await page.send('/'), 200)
  must(await page.send('/payments?xq-query=1'), 200)
  await page.mutate('security.startRegistration', {})
  const isPortal = ({ name }: { readonly name: string }) => name === 'POST /api/trpc'
  await vi.waitFor(() => expect(collector.spans.filter(isPortal)).not.toEqual([]), { timeout: 5_000 })
  await stopMember(member)
  expect(below('POST /settlement/settle')).toContain('processor confirmPaymentIntent')
  expect(collector.spans.find(isPortal)).toMatchObject({
    kind: spanKinds.server,
    attributes: { 'countersign.procedures': 'security.startRegistration', 'http.response.status_code': 200 },
  })
  for (const secret of [linkToken, page.sessionCookie, email, 'xq-query'])
    expect(collector.text()).not.toContain(secret)
  expectNothingElse()
})
