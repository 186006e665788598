import Negotiator from 'negotiator'
import { html, htmlPage, type Markup, stylesheet } from '../../base/contract/html'

const sandboxStyle = stylesheet(`
:root{color-scheme:light dark;--canvas:light-dark(#f6f7f9,#0d1015);--surface:light-dark(#fff,#151920);
--line:light-dark(#dfe3ea,#2b323e);--ink:light-dark(#12161d,#e9ecf1);--muted:light-dark(#566074,#a0a9b9);
--accent:light-dark(#2448c5,#8fabff);--warning:light-dark(#7d4a00,#f0b860);--warning-soft:light-dark(#fdf1dc,#33250d)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;margin:1rem 0 .25rem}
h2{font-size:1.05rem;margin:0;overflow-wrap:anywhere}
p{margin:.25rem 0}
a{color:var(--accent);overflow-wrap:anywhere}
a:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.2rem}
code{font:.9em ui-monospace,'SF Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
ul{list-style:none;margin:1.5rem 0 0;padding:0;display:grid;gap:.75rem}
li{background:var(--surface);border:1px solid var(--line);border-radius:1rem;padding:1rem}
li ul{margin:.5rem 0 0;gap:.25rem}
li li{border:0;padding:0;background:none}
dl{display:grid;gap:.25rem;margin:1.5rem 0 0}
dt{color:var(--muted);font-size:.875rem}
dd{margin:0 0 .5rem}
.note{background:var(--warning-soft);color:var(--warning);padding:.5rem .75rem;border-radius:.625rem;font-size:.875rem}
.muted{color:var(--muted);font-size:.875rem}
.row{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;align-items:baseline}
.price{font-variant-numeric:tabular-nums;font-weight:600}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
`)

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': sandboxStyle.policy,
  vary: 'accept',
}

/** Renders a page that is marked as the sandbox's. */
export function page(title: string, content: Markup): string {
  return htmlPage({
    title,
    stylesheet: sandboxStyle,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main>
<p class="note">Sandbox. No real money.</p>
${content}
</main>`,
  })
}

/** Returns whether the caller names JSON and prefers it to a page. */
export function prefersJson(accept: string | undefined): boolean {
  const preferred = new Negotiator({ headers: { accept: accept?.toLowerCase() } }).mediaTypes()
  return preferred.find((type) => type === 'application/json' || type === 'text/html') === 'application/json'
}
