import { createHash } from 'node:crypto'
import type { HttpAnswer } from './exchange'

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 1rem; text-align: center }
  h1 { margin: 0; font-size: 1.25rem }
  a { color: inherit }
`
const styleHash = createHash('sha256').update(style).digest('base64')

const words = {
  en: {
    title: 'Page not found',
    heading: 'There is nothing at this address.',
    body: 'The link may be old or mistyped.',
    home: 'Go to your wallet',
  },
  de: {
    title: 'Seite nicht gefunden',
    heading: 'Unter dieser Adresse ist nichts.',
    body: 'Vielleicht ist der Link alt oder vertippt.',
    home: 'Zur Wallet',
  },
} as const
type Language = keyof typeof words

const pageIn = (language: Language) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${words[language].title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${words[language].heading}</h1>
<p>${words[language].body} <a href="/">${words[language].home}</a></p>
</main>
</body>
</html>
`

/** What the portal's language choice says, else the first language that the browser asks for. */
function languageOf(header: (name: string) => string | null): Language {
  const chosen = /(?:^|;\s*)locale=([\w-]+)/.exec(header('cookie') ?? '')?.[1]
  const wanted = chosen ?? header('accept-language')?.trim().toLowerCase() ?? 'en'
  return /^de\b/.test(wanted) ? 'de' : 'en'
}

/** The answer to an unknown address for a browser: complete in itself, since nothing else may load. */
export function notFoundPage(answer: HttpAnswer, header: (name: string) => string | null): HttpAnswer {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    vary: 'accept, accept-language, cookie',
  }
  return { status: 404, headers: { ...answer.headers, ...headers }, body: pageIn(languageOf(header)) }
}
