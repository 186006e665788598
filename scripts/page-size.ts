/**
 * `npm run page-size`: measures how much JavaScript each page of the portal loads at first, in bytes compressed with
 * Brotli, on its own server. Fails when a page exceeds the budget. `--chunks <page>` lists what one page loads.
 */
import { parseArgs } from 'node:util'
import { type FirstLoad, measureFirstLoad, PAGE_MAX_BYTES } from './portal/first-load'
import { type PortalPage, publicPages, walletPages } from './portal/pages'
import { type PortalServer, withPortalServer } from './portal/server'
import { openDemoSession } from './portal/session'
import { playStory, storyStart } from './portal/story'
import { build, outdatedSteps } from './start/build.mjs'

const { values } = parseArgs({ options: { chunks: { type: 'string' } } })
const kilobytes = (bytes: number) => Number((bytes / 1000).toFixed(1))

async function measureAll(server: PortalServer): Promise<Map<string, FirstLoad>> {
  const story = await playStory(server)
  const session = await openDemoSession(server.baseUrl)
  const cookie = `${session.name}=${session.value}`
  const measured = new Map<string, FirstLoad>()
  const measure = async ({ name, path }: PortalPage, headers: Readonly<Record<string, string>>) =>
    measured.set(name, await measureFirstLoad(server.baseUrl + path, headers))
  for (const page of publicPages) await measure(page, {})
  for (const page of walletPages(story)) await measure(page, { cookie })
  return measured
}

await build(outdatedSteps())
const measured = await withPortalServer({ startAt: storyStart() }, measureAll)
console.table(
  Object.fromEntries(
    [...measured].map(([name, { scripts, bytes }]) => [name, { kB: kilobytes(bytes), files: scripts.length }]),
  ),
)
if (values.chunks !== undefined) {
  const scripts = measured.get(values.chunks)?.scripts ?? []
  for (const { path, bytes } of scripts.toSorted((a, b) => b.bytes - a.bytes)) {
    console.log(`${String(kilobytes(bytes)).padStart(8)} kB  ${path}`)
  }
}
const large = [...measured].filter(([, { bytes }]) => bytes > PAGE_MAX_BYTES).map(([name]) => name)
if (large.length > 0) {
  console.error(`These pages load more than ${kilobytes(PAGE_MAX_BYTES)} kB: ${large.join(', ')}.`)
  process.exitCode = 1
}
