import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyOperation } from '../../base/contract/endpoint'
import { buildNotFoundError } from '../../base/contract/problem'
import { Reply } from '../../base/contract/reply'
import { docPage } from './doc-page'
import { documents } from './documents'
import { renderErrorIndex } from './error-index'

/** The files of the reference viewer that the page needs; no other file of its package is served. */
const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}
const START = `window.onload = () => SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, supportedSubmitMethods: [] })`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>
</body>
</html>
`

/** The content security policy of the viewer, which styles its own elements and may load nothing from elsewhere. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** GET /docs: the API reference, served without third parties. */
export async function readDocs(): Promise<Reply> {
  return Reply.text(page, 'text/html; charset=utf-8', { headers: { 'content-security-policy': pagePolicy } })
}

/** GET /docs/{asset}: a page of documentation, or one of the reference's own files. */
export async function readDocsAsset(asset: string, operations: readonly AnyOperation[]): Promise<Reply> {
  if (asset === 'errors') return docPage('Errors', renderErrorIndex(operations))
  const document = Object.hasOwn(documents, asset) ? documents[asset] : undefined
  if (document !== undefined) {
    return docPage(document.title, await readFile(path.join(process.cwd(), 'docs', `${asset}.md`), 'utf8'))
  }
  const headers = { 'cache-control': 'public, max-age=3600' }
  if (asset === 'start.js') return Reply.text(START, 'text/javascript; charset=utf-8', { headers })
  const mediaType = Object.hasOwn(assets, asset) ? assets[asset] : undefined
  if (mediaType === undefined) throw buildNotFoundError()
  const file = path.join(process.cwd(), 'node_modules', 'swagger-ui-dist', asset)
  return Reply.text(await readFile(file), mediaType, { headers })
}
