import { sha256 } from '../protocol/encoding'

/** Markup whose dynamic parts are escaped. Made by {@link html} alone. */
export class Markup {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(part: string | Markup | readonly Markup[]): string {
  if (part instanceof Markup) return part.text
  if (typeof part !== 'string') return part.map((one) => one.text).join('')
  return part.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** Markup from a template; every text that is put into it is escaped, in content and quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Markup | readonly Markup[])[]): Markup {
  const rendered = values.map(render)
  return new Markup(parts.map((part, index) => part + (rendered[index] ?? '')).join(''))
}

const STYLE = `
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
`

/** Nothing but the one style below: no scripts, no images, no forms, no frames. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(STYLE).toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = { 'content-security-policy': policy, vary: 'accept' }

/** A whole page. */
export function page(title: string, content: Markup): string {
  // The style is put in as it is: its hash is in the policy.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<p class="note">Sandbox. No real money.</p>
${content}
</main>
</body>
</html>
`.text
}

/** Whether the caller asks for JSON by name and not for a page first. */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(readRange)
  const qualityOf = (type: string) => ranges.find((range) => range.type === type)?.quality ?? 0
  return qualityOf('application/json') > qualityOf('text/html')
}

function readRange(range: string): { type: string; quality: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
}
