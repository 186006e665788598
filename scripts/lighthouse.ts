/**
 * `npm run lighthouse`: runs Lighthouse on six pages of the built portal, on its own server and in a wallet with 500
 * payments, 40 agents and eight approvals. Prints a table and fails when a category of a page scores below 95.
 * `--desktop` measures as on a desktop instead of a phone; `--page home` measures one page; `--details` lists what cost
 * points.
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig, type RunnerResult } from 'lighthouse'
import { type BusyWallet, withBusyServer } from '../bench/support/busy-wallet'
import { requireChromium } from './chromium.mjs'
import { freePort } from './portal/free-port'
import { type PortalPage, publicPages } from './portal/pages'
import type { PortalServer } from './portal/server'
import { openDemoSession } from './portal/session'
import { build, outdatedSteps } from './start/build.mjs'

const LEAST_SCORE = 95
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
/** The longest wait for a page to finish loading; it is then measured as it is. */
const LOAD_WITHIN_MS = 30_000

const { values } = parseArgs({
  options: {
    desktop: { type: 'boolean', default: false },
    page: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
})

interface PageReport {
  readonly name: string
  readonly scores: Readonly<Record<string, number>>
  readonly lost: readonly string[]
}

function buildReport(name: string, result: RunnerResult | undefined): PageReport {
  if (result === undefined) throw new Error(`Lighthouse said nothing about ${name}`)
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError !== undefined) throw new Error(`${name}: ${runtimeError.message}`)
  const scores = Object.fromEntries(CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]))
  const lost = CATEGORIES.flatMap((id) => categories[id]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .flatMap(({ id }) => audits[id] ?? [])
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id, title, displayValue, score }) => `${id} ${score}: ${title} ${displayValue ?? ''}`)
  return { name, scores, lost }
}

interface MeasureOptions {
  readonly port: number
  readonly cookie: string | null
}

function measure(url: string, { port, cookie }: MeasureOptions): Promise<RunnerResult | undefined> {
  return lighthouse(
    url,
    {
      port,
      onlyCategories: CATEGORIES,
      maxWaitForLoad: LOAD_WITHIN_MS,
      disableStorageReset: true,
      logLevel: 'error',
      ...(cookie !== null && { extraHeaders: { Cookie: cookie } }),
    },
    values.desktop ? desktopConfig : undefined,
  )
}

const pagesOf = ({ pendingId, agentId }: BusyWallet): PortalPage[] => [
  ...publicPages.filter(({ name }) => name === 'sign-in'),
  { name: 'home', path: '/' },
  { name: 'approve', path: `/approve/${pendingId}` },
  { name: 'agents', path: '/agents' },
  { name: 'agent', path: `/agents/${agentId}` },
  { name: 'payments', path: '/payments' },
]

async function measurePages(server: PortalServer, wallet: BusyWallet, port: number): Promise<PageReport[]> {
  const reports: PageReport[] = []
  const { page: only } = values
  const pages = pagesOf(wallet).filter(({ name }) => only === undefined || name === only)
  if (pages.length === 0) throw new Error(`no page is called "${only}"`)
  for (const { name, path } of pages) {
    const session = await openDemoSession(server.baseUrl)
    const cookie = name === 'sign-in' ? null : `${session.name}=${session.value}`
    const run = () => measure(server.baseUrl + path, { port, cookie })
    const first = await run()
    // A busy machine sometimes loses the trace; then the page is measured again.
    reports.push(buildReport(name, first?.lhr.runtimeError === undefined ? first : await run()))
  }
  return reports
}

const executablePath = requireChromium()
await build(outdatedSteps())
const port = await freePort()
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
})
try {
  const reports = await withBusyServer((server, wallet) => measurePages(server, wallet, port))
  console.table(Object.fromEntries(reports.map(({ name, scores }) => [name, scores])))
  for (const { name, lost } of values.details ? reports : []) console.log(`${name}\n  ${lost.join('\n  ')}`)
  const isPoor = ({ scores }: PageReport) => Object.values(scores).some((score) => score < LEAST_SCORE)
  if (reports.some(isPoor)) {
    console.error(`At least one score is below ${LEAST_SCORE}.`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
}
