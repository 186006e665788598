/** Measures what a browser loads before a page works. */

/** The budget of JavaScript for each page, in bytes compressed with Brotli. */
export const PAGE_MAX_BYTES = 180 * 1000

interface Script {
  readonly path: string
  readonly bytes: number
}

export interface FirstLoad {
  readonly scripts: readonly Script[]
  readonly bytes: number
}

const CHUNK = /static\/chunks\/([^\s"'<>\\]+\.js)/g
const WITHOUT_MODULES = /<script[^>]*\bnomodule\b[^>]*>/gi

/**
 * Measures the scripts that a page's HTML names: in script elements, in preloads, and in the data from which React
 * renders the page. Those for browsers without modules are left out. Sizes are of each file as the server sends it,
 * compressed with Brotli.
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
  const scripts = await Promise.all([...paths].map(async (path) => ({ path, bytes: await sizeOf(new URL(path, url)) })))
  return { scripts, bytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function sizeOf(url: URL): Promise<number> {
  const answer = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
  const encoding = answer.headers.get('content-encoding')
  if (!answer.ok || encoding !== 'br') throw new Error(`${url.href} answered ${answer.status}, encoded as ${encoding}`)
  return Number(answer.headers.get('content-length'))
}
