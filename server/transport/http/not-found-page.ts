import { html, htmlPage, stylesheet } from '../../base/contract/html'
import type { HttpResponse } from './exchange'

const style = stylesheet(`
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 1rem; text-align: center }
  h1 { margin: 0; font-size: 1.25rem }
  a { color: inherit }
`)

const words = {
  en: {
    title: 'Page not found',
    heading: 'This page does not exist.',
    body: 'The link may be old or mistyped.',
    home: 'Go to your wallet',
  },
  de: {
    title: 'Seite nicht gefunden',
    heading: 'Diese Seite gibt es nicht.',
    body: 'Vielleicht ist der Link alt oder vertippt.',
    home: 'Zur Wallet',
  },
} as const
type Language = keyof typeof words

function pageIn(language: Language): string {
  const { title, heading, body, home } = words[language]
  return htmlPage({
    title,
    language,
    stylesheet: style,
    body: html`<main>
<h1>${heading}</h1>
<p>${body} <a href="/">${home}</a></p>
</main>`,
  })
}

/** Returns the language chosen in the portal (in the order of `chosenIn`), else the browser's first one. */
function languageOf(header: (name: string) => string | null): Language {
  const cookies = header('cookie') ?? ''
  const chosen = (/(?:^|;\s*)__Host-locale=([\w-]+)/.exec(cookies) ?? /(?:^|;\s*)locale=([\w-]+)/.exec(cookies))?.[1]
  const wanted = chosen ?? header('accept-language')?.trim().toLowerCase() ?? 'en'
  return /^de\b/.test(wanted) ? 'de' : 'en'
}

/** Returns the response to an unknown address for a browser: a page that loads no other files. */
export function notFoundPage(response: HttpResponse, header: (name: string) => string | null): HttpResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': style.policy,
    vary: 'accept, accept-language, cookie',
  }
  return { status: 404, headers: { ...response.headers, ...headers }, body: pageIn(languageOf(header)) }
}
