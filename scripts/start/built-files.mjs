/** The files that browsers load of the built portal: compressed once, when they are built, and sent as they are stored. */
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import sirv from 'sirv'

const PREFIX = '/_next/static'
/** Their names change with their content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
const TYPES = { '.js': 'application/javascript; charset=UTF-8', '.css': 'text/css; charset=UTF-8' }
const COMPRESSED = /\.(?:css|js|json|svg)$/

const staticDir = (root) => path.join(root, '.next', 'static')

/** Writes a Brotli and a gzip twin beside each file of the build under `root`. */
export async function compressBuiltFiles(root) {
  const files = readdirSync(staticDir(root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
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
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)])
}

/** Answers with the built files under `root`, and leaves everything else to `fallback`. */
export function createFileHandler(root, fallback) {
  const serve = sirv(staticDir(root), { brotli: true, gzip: true, etag: true, setHeaders: nameType })
  return async (request, response) => {
    const { method, url = '' } = request
    if (!url.startsWith(`${PREFIX}/`)) return fallback(request, response)
    // Next answers other methods with 500.
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    response.setHeader('Cache-Control', CACHE_CONTROL)
    response.setHeader('Vary', 'Accept-Encoding')
    let isServed = true
    serve(asStored(request, url), response, () => {
      isServed = false
    })
    if (isServed) return undefined
    response.removeHeader('Cache-Control')
    response.removeHeader('Vary')
    return fallback(request, response)
  }
}

/** The request as far as it matters: below the folder, for a whole file, with the encodings that the client truly takes. */
function asStored(request, url) {
  const encodings = new Negotiator(request).encodings(['br', 'gzip'])
  const known = request.headers['if-none-match']
  return {
    method: request.method,
    url: url.slice(PREFIX.length),
    headers: { 'accept-encoding': encodings.join(', '), ...(known !== undefined && { 'if-none-match': known }) },
  }
}

function nameType(response, pathname) {
  const type = TYPES[path.extname(pathname)]
  if (type !== undefined) response.setHeader('Content-Type', type)
}
