import { html, htmlPage, type Stylesheet, stylesheet } from '../../base/contract/html'
import type { HttpResponse } from './exchange'

/** The styles by the theme chosen in the portal, in the portal's colours. */
const styles = {
  system: styleOf('light dark'),
  light: styleOf('light'),
  dark: styleOf('dark'),
} as const

function styleOf(scheme: string) {
  return stylesheet(`
  :root { color-scheme: ${scheme}; font: 1rem/1.5 system-ui, sans-serif }
  body { min-height: 100dvh; margin: 0; background: light-dark(#f6f7f9, #0d1015); color: light-dark(#12161d, #e9ecf1) }
  main { display: grid; justify-items: start; gap: 1rem; max-width: 40rem; margin: auto; padding: 1rem }
  .brand { display: flex; align-items: center; gap: 0.625rem; font-size: 1.125rem; font-weight: 600 }
  svg { width: 2rem; height: 2rem; fill: none }
  rect { fill: light-dark(#2448c5, #8fabff) }
  path { stroke: light-dark(#ffffff, #0a1330); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
  h1 { margin: 1.5rem 0 0; font-size: 1.5rem; line-height: 1.25 }
  p { margin: 0; color: light-dark(#566074, #a0a9b9) }
  a { border-radius: 0.75rem; padding: 0.625rem 1.25rem; background: light-dark(#2448c5, #8fabff); font-weight: 600;
      color: light-dark(#ffffff, #0a1330); text-decoration: none }
`)
}

/** The words of the portal's own page for what is not there. */
const words = {
  en: {
    title: 'There is nothing here',
    body: 'The address is wrong, or what it led to is over or is not yours. If you came from a link, ask your agent to try again.',
    home: 'Go to Home',
  },
  de: {
    title: 'Hier ist nichts',
    body: 'Die Adresse ist falsch, oder was hier stand, ist vorbei oder gehört nicht Ihnen. Falls Sie über einen Link gekommen sind, bitten Sie Ihren Agenten, es noch einmal zu versuchen.',
    home: 'Zur Startseite',
  },
} as const
type Language = keyof typeof words

function pageIn(language: Language, style: Stylesheet): string {
  const { title, body, home } = words[language]
  return htmlPage({
    title: `${title} · Countersign`,
    language,
    stylesheet: style,
    body: html`<main>
<div class="brand"><svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8"/><path d="M8.5 17.2 13.4 22 23.5 10.5"/></svg>Countersign</div>
<h1>${title}</h1>
<p>${body}</p>
<a href="/">${home}</a>
</main>`,
  })
}

/** Returns the language chosen in the portal (read as in components/lib/remember.ts), else the browser's first one. */
function languageOf(header: (name: string) => string | null): Language {
  const cookies = header('cookie') ?? ''
  const wanted = chosenIn(cookies, 'locale') ?? header('accept-language')?.trim().toLowerCase() ?? 'en'
  return /^de\b/.test(wanted) ? 'de' : 'en'
}

/** Returns the theme chosen in the portal, else the browser's. */
function themeOf(header: (name: string) => string | null): keyof typeof styles {
  const chosen = chosenIn(header('cookie') ?? '', 'theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function chosenIn(cookies: string, name: 'locale' | 'theme'): string | undefined {
  const values = new Map(cookies.split(/;\s*/).map((pair) => pair.split('=') as [string, string]))
  return values.get(`__Host-${name}`) ?? values.get(name)
}

/** Returns the response to an unknown address for a browser: a page that loads no other files. */
export function notFoundPage(response: HttpResponse, header: (name: string) => string | null): HttpResponse {
  const style = styles[themeOf(header)]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': style.policy,
    vary: 'accept, accept-language, cookie',
  }
  return { status: 404, headers: { ...response.headers, ...headers }, body: pageIn(languageOf(header), style) }
}
