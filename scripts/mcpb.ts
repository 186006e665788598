/**
 * Builds what has changed, packs the tool server as the bundle that desktop hosts install with one click
 * (`dist/countersign.mcpb`), then unpacks and starts it: `npm run mcpb`.
 * @see {@link https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md}
 */
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packExtension, unpackExtension } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as z from 'zod'
import { tools } from '../tool-server/src/tools'
import { build, outdatedSteps } from './start/build.mjs'

const root = path.dirname(import.meta.dirname)
const source = path.join(root, 'tool-server')
const target = path.join(root, 'dist/countersign.mcpb')
const FILES = [
  ['dist/bin.js', 'server/index.mjs'],
  ['dist/bin.js.LEGAL.txt', 'server/index.mjs.LEGAL.txt'],
  ['LICENSE', 'LICENSE'],
  ['README.md', 'README.md'],
] as const

const manifestShape = z.looseObject({
  server: z.looseObject({ mcp_config: z.looseObject({ args: z.array(z.string()) }) }),
})

/** Writes the manifest with the tools that hosts show before the installation. */
async function writeManifest(folder: string): Promise<void> {
  const manifest = manifestShape.parse(JSON.parse(await readFile(path.join(source, 'manifest.json'), 'utf8')))
  const listed = tools.map(({ listing }) => ({ name: listing.name, description: listing.description }))
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ ...manifest, tools: listed }, null, 2))
}

async function pack(folder: string): Promise<void> {
  for (const [from, to] of FILES) await cp(path.join(source, from), path.join(folder, to))
  await writeManifest(folder)
  await mkdir(path.dirname(target), { recursive: true })
  if (!(await packExtension({ extensionPath: folder, outputPath: target, silent: true }))) {
    throw new Error('the manifest or a file of the bundle was refused')
  }
}

/** Returns the tools that the unpacked bundle serves when it is started as its manifest says. */
async function listUnpacked(folder: string): Promise<string[]> {
  if (!(await unpackExtension({ mcpbPath: target, outputDir: folder, silent: true }))) throw new Error('not unpacked')
  const { server } = manifestShape.parse(JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')))
  const args = server.mcp_config.args.map((arg) => arg.replace('${__dirname}', folder))
  const client = new Client({ name: 'bundle', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }))
  const listed = await client.listTools()
  await client.close()
  return listed.tools.map(({ name }) => name)
}

await build(outdatedSteps())
const work = await mkdtemp(path.join(tmpdir(), 'countersign-mcpb-'))
try {
  await pack(path.join(work, 'packed'))
  const served = await listUnpacked(path.join(work, 'unpacked'))
  const expected = tools.map(({ listing }) => listing.name)
  if (served.join() !== expected.join()) throw new Error(`the bundle serves ${served.join(', ') || 'nothing'}`)
  const { size } = await stat(target)
  console.log(`${path.relative(root, target)}: ${Math.round(size / 1024)} kB, ${served.length} tools served`)
} finally {
  await rm(work, { recursive: true, force: true })
}
