import { createHash } from 'node:crypto'
import type { HttpAnswer } from './exchange'

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 1rem; text-align: center }
  h1 { margin: 0; font-size: 1.25rem }
  a { color: inherit }
`
const styleHash = createHash('sha256').update(style).digest('base64')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Page not found</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>There is nothing at this address.</h1>
<p>The link may be old or mistyped. <a href="/">Go to your wallet</a></p>
</main>
</body>
</html>
`

/** The answer to an unknown address for a browser: complete in itself, since nothing else may load. */
export function notFoundPage(answer: HttpAnswer): HttpAnswer {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, vary: 'accept' }
  return { status: 404, headers: { ...answer.headers, ...headers }, body: page }
}
