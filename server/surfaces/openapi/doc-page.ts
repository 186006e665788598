import { Marked } from 'marked'
import { html, htmlPage, Markup, stylesheet } from '../../base/contract/html'
import { Reply } from '../../base/contract/reply'
import { documents } from './documents'

const style = stylesheet(`
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere }
h1, h2, h3 { line-height: 1.25 }
h2 { margin-top: 2.5rem; scroll-margin-top: 1rem }
h2:target { background: Mark; color: MarkText }
h1 a, h2 a, h3 a { color: inherit; text-decoration: none }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid GrayText; border-radius: 0.5rem; overflow-wrap: normal }
code { font: 0.9em ui-monospace, monospace }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { min-width: 6rem; overflow-wrap: break-word; padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top }
`)

const DOCUMENT_LINK = /^([\w-]+)\.md(?=#|$)/

/** Turns a link to another file of docs/ into the address of its page; empty where no page shows the file. */
function toAddress(href: string): string {
  const [file = '', name = ''] = DOCUMENT_LINK.exec(href) ?? []
  if (Object.hasOwn(documents, name)) return `/docs/${name}${href.slice(file.length)}`
  return /^(?:https:|\/|#)/.test(href) ? href : ''
}

const markdown = new Marked({
  walkTokens(token) {
    if (token.type === 'link') token.href = toAddress(String(token.href))
  },
  renderer: {
    // The name of a file that no page shows is plain text; false means the usual rendering.
    link({ href, tokens }) {
      return href === '' && this.parser.parseInline(tokens)
    },
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replaceAll(/[^\w]+/g, '-')
        .replaceAll(/^-|-$/g, '')
      return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
    },
  },
})

/** Renders a page of documentation from our own Markdown; its headings are anchors. */
export function docPage(title: string, text: string): Reply {
  const page = htmlPage({
    title: `${title} – Countersign`,
    stylesheet: style,
    body: html`<nav>${Object.entries(documents).map(([name, { title: label }]) => html`<a href="/docs/${name}">${label}</a> · `)}<a href="/docs/errors">Errors</a> · <a href="/docs">API reference</a></nav>
<main>
${new Markup(markdown.parse(text, { async: false }))}</main>`,
  })
  const headers = { 'content-security-policy': style.policy, 'cache-control': 'public, max-age=300' }
  return Reply.text(page, 'text/html; charset=utf-8', { headers })
}
