/**
 * The files of the built portal that browsers load: compressed once, when they are built, and sent as they are stored.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

const PREFIX = '/_next/static'
/** Cached forever, since the names change with the content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
const TYPES = {
  '.css': 'text/css; charset=UTF-8',
  '.ico': 'image/x-icon',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const COMPRESSED = /\.(?:css|js|json|svg)$/
/** The encodings, best first, each with the suffix of the file that stores it. */
const TWINS = { br: '.br', gzip: '.gz' }

const staticDir = (root) => path.join(root, '.next', 'static')
const listFiles = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

/** Writes a Brotli and a gzip copy beside each file of the build under `root`. */
export async function compressBuiltFiles(root) {
  const files = listFiles(staticDir(root)).filter((file) => COMPRESSED.test(file))
  await Promise.all(files.map(compressFile))
}

async function compressFile(file) {
  const content = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(file + TWINS.br, brotli), writeFile(file + TWINS.gzip, gzipped)])
}

/**
 * Returns a handler that serves the built files under `root`, and passes all other requests to `fallback`. The files
 * are read now, since the pages of this process need them even while the next version is being built in their place.
 */
export function createFileHandler(root, fallback) {
  const files = readBuiltFiles(staticDir(root))
  return async (request, response) => {
    const { method, url = '' } = request
    if (!url.startsWith(`${PREFIX}/`)) return fallback(request, response)
    // Next answers other methods with 500.
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    const file = files.get(pathOf(url))
    if (file === undefined) return fallback(request, response)
    const { etag, headers, body } = file[chooseEncoding(request, file)]
    const known = request.headers['if-none-match'] ?? ''
    if (known.split(/\s*,\s*/).some((one) => one.replace(/^W\//, '') === etag)) {
      return response.writeHead(304, headers).end()
    }
    response.writeHead(200, { ...headers, 'Content-Length': body.length })
    return response.end(method === 'HEAD' ? undefined : body)
  }
}

/** Returns the built files by their path below the folder, each in the encodings in which it is stored. */
function readBuiltFiles(directory) {
  const names = listFiles(directory).filter((file) => !Object.values(TWINS).includes(path.extname(file)))
  return new Map(
    names.map((name) => {
      const stored = Object.entries(TWINS).filter(([, end]) => existsSync(name + end))
      const twins = stored.map(([encoding, end]) => [encoding, describe(name, readFileSync(name + end), encoding)])
      const file = { identity: describe(name, readFileSync(name)), ...Object.fromEntries(twins) }
      return [`/${path.relative(directory, name).replaceAll(path.sep, '/')}`, file]
    }),
  )
}

/** Returns the body and headers of a file in one encoding. */
function describe(name, body, encoding) {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = {
    'Cache-Control': CACHE_CONTROL,
    'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  }
  return { etag, headers, body }
}

/** Returns the path of a file; null for one that is not percent-encoded UTF-8. */
function pathOf(url) {
  try {
    return decodeURIComponent(url.slice(PREFIX.length).split('?', 1)[0])
  } catch {
    return null
  }
}

function chooseEncoding(request, file) {
  const accepted = new Negotiator(request).encodings(Object.keys(TWINS))
  return Object.keys(TWINS).find((encoding) => accepted.includes(encoding) && encoding in file) ?? 'identity'
}
