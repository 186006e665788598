import { createHash } from 'node:crypto'

/** Markup whose dynamic parts are escaped: made by {@link html}, or from text that is known to be markup. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | Markup | readonly Markup[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text
  if (typeof part !== 'string') return part.map((one) => one.text).join('')
  return part.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/**
 * Renders markup from a template and escapes every text that is inserted, in content and in quoted attributes. React
 * cannot be used: Next refuses `react-dom/server` in all that a route file imports.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  const rendered = values.map(render)
  return new Markup(parts.map((part, index) => part + (rendered[index] ?? '')).join(''))
}

/** The style of a page, with the `content-security-policy` that lets a browser apply it and load nothing else. */
export interface Stylesheet {
  readonly css: string
  readonly policy: string
}

/** Returns a style sheet with its policy, which allows no scripts, images, forms or frames. */
export function stylesheet(css: string): Stylesheet {
  const digest = createHash('sha256').update(css).digest('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return { css, policy: policy.join('; ') }
}

/** A page that is complete in itself. */
export interface HtmlPage {
  readonly title: string
  /** A language tag; English when it is left out. */
  readonly language?: string
  readonly stylesheet: Stylesheet
  /** More elements of the head. */
  readonly head?: Markup
  readonly body: Markup
}

/** Renders a whole page, to be sent with the policy of its style sheet. */
export function htmlPage({ title, language = 'en', stylesheet: { css }, head = html``, body }: HtmlPage): string {
  // The style is inserted without changes, since its digest is in the policy.
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${new Markup(css)}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}
