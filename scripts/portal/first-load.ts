/** What a browser has to load before a page works. */
import { gzipSync } from 'node:zlib'

/** The approve page may load this much JavaScript, gzipped. */
export const APPROVE_MAX_BYTES = 180_000

export interface FirstLoad {
  readonly scripts: readonly { readonly path: string; readonly gzipBytes: number }[]
  readonly gzipBytes: number
}

const CHUNK = /static\/chunks\/([^\s"'<>\\]+\.js)/g
const WITHOUT_MODULES = /<script[^>]*\bnomodule\b[^>]*>/gi

/**
 * The scripts that a page's HTML names: in script elements, in preloads, and in the data from which React makes the page.
 * Those for browsers without modules are left out. Sizes are of each file gzipped by itself, as it travels.
 */
export async function measureFirstLoad(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FirstLoad> {
  const answer = await fetch(url, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  const html = (await answer.text()).replaceAll(WITHOUT_MODULES, '')
  const paths = new Set([...html.matchAll(CHUNK)].map(([, name = '']) => `/_next/static/chunks/${decodeURI(name)}`))
  if (paths.size === 0) throw new Error(`${url} names no script`)
  const scripts = await Promise.all(
    [...paths].map(async (path) => ({ path, gzipBytes: await gzipSize(new URL(path, url)) })),
  )
  return { scripts, gzipBytes: scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) }
}

async function gzipSize(url: URL): Promise<number> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}`)
  return gzipSync(Buffer.from(await answer.arrayBuffer())).length
}
