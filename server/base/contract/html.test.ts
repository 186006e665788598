import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { html, htmlPage, stylesheet } from './html'

test('a template escapes texts once and keeps markup', () => {
  const inner = html`<i>${"a<b&'"}</i>`
  expect(html`<p title="${'"'}">${inner}${[inner]}</p>`.text).toBe(
    '<p title="&quot;"><i>a&lt;b&amp;&#39;</i><i>a&lt;b&amp;&#39;</i></p>',
  )
})

test('a page escapes its title and carries the style that its policy allows', () => {
  const sheet = stylesheet("a::after { content: '>' }")
  const page = htmlPage({ title: '<i>', language: 'de', stylesheet: sheet, body: html`<main></main>` })
  expect(page).toContain('<html lang="de">')
  expect(page).toContain('<title>&lt;i&gt;</title>')
  const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? ''
  const digest = createHash('sha256').update(style).digest('base64')
  expect(sheet.policy).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})
