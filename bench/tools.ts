/**
 * Time from starting the tool server to its answer to tools/list, beside that of starting Node.js itself:
 * `npm run bench:tools`. Fails above 400 ms. The runs alternate, so that both see the same machine.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { build, outdatedSteps } from '../scripts/start/build.mjs'
import { median } from './support/load'

const BIN = path.resolve(import.meta.dirname, '../tool-server/dist/bin.js')
const RUNS = 15
const BUDGET_MS = 400

const opening = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]

async function timeListing(): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [BIN, 'serve'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  for (const message of opening) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (/"id":2\b.*\n/.test(output)) break
  }
  const milliseconds = performance.now() - startedAt
  child.kill()
  await ended
  if (!hasTools(output)) throw new Error(`the tool server did not list its tools: ${output}`)
  return milliseconds
}

function hasTools(output: string): boolean {
  const answers = output.split('\n').filter((line) => line !== '')
  return answers.map((line) => JSON.parse(line)).some(({ id, result }) => id === 2 && result?.tools.length > 0)
}

async function timeNode(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close')
  return performance.now() - startedAt
}

await build(outdatedSteps())
const listings: number[] = []
const nodes: number[] = []
for (let run = 0; run <= RUNS; run += 1) {
  const [listing, node] = [await timeListing(), await timeNode()]
  // The first pair fills the disk cache.
  if (run > 0) {
    listings.push(listing)
    nodes.push(node)
  }
}
const [listed, node] = [median(listings), median(nodes)]
console.log(
  `tools/list after ${Math.round(listed)} ms, node -e 0 after ${Math.round(node)} ms: ${(listed / node).toFixed(1)} times`,
)
if (listed > BUDGET_MS) process.exitCode = 1
