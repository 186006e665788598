import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** The server process as one file, so that the many restarts take a second less each. */
export interface ServerBundle {
  readonly path: string
  remove(): Promise<void>
}

export async function bundleServer(): Promise<ServerBundle> {
  // Within the repository, since its packages are looked up from there.
  const outfile = path.resolve('node_modules/.cache', `faults-${randomBytes(6).toString('hex')}.mjs`)
  await build({
    entryPoints: [path.join(import.meta.dirname, 'server-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    // Next has no export map, so that Node needs the file's whole name.
    alias: { 'next/server': 'next/server.js' },
    logLevel: 'error',
  })
  return { path: outfile, remove: () => rm(outfile, { force: true }) }
}
