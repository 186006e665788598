/**
 * `npm run docs:routes`: writes docs/routes.md from the operations table. With `--check` it only checks the page, and
 * fails when that is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { operations } from '@/server/operations'

const root = path.dirname(import.meta.dirname)
const page = path.join(root, 'docs/routes.md')

function accessOf({ access }: EndpointShape): string {
  switch (access.actor) {
    case 'anonymous':
      return 'anyone'
    case 'operator':
      return 'operator token'
    case 'backend':
      return access.operatorOnly === true ? 'operator token' : 'operator token or wallet client'
    case 'client': {
      const who = access.kind === 'any' ? 'client' : `${access.kind} client`
      return access.dpop === 'mint' ? `${who}, DPoP with nonce` : who
    }
    case 'wallet':
      return access.scope === null ? 'wallet token' : `wallet token, \`${access.scope}\``
    case 'agent':
      return `agent token, \`${access.scope}\``
  }
}

function row(endpoint: EndpointShape): string {
  const gate = [
    endpoint.switch === undefined ? '' : `\`${endpoint.switch}\``,
    endpoint.sandboxOnly === true ? 'sandbox' : '',
  ]
  const cells = [
    endpoint.method,
    `\`${endpoint.path}\``,
    accessOf(endpoint),
    gate.filter(Boolean).join(', '),
    endpoint.summary,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const orderOf = ({ tag, path: address, method }: EndpointShape): string => `${tag} ${address} ${method}`

/** Returns the page in its up-to-date form. */
export function renderRoutes(): string {
  // Runtimes list the exports of a module in different orders.
  const endpoints = operations
    .map(({ endpoint }) => endpoint)
    .toSorted((one, other) => orderOf(one).localeCompare(orderOf(other), 'en'))
  const sections = [...new Set(endpoints.map(({ tag }) => tag))].map((tag) => {
    const rows = endpoints.filter((endpoint) => endpoint.tag === tag).map(row)
    return [
      `## ${tag}`,
      '',
      '| Method | Path | Who may call | Switch | What it does |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  const intro =
    'Generated from the operations table by `npm run docs:routes`. Request and answer schemas are at `/openapi.json`, and readable at `/docs`.'
  return ['# Routes', intro, ...sections].join('\n\n').concat('\n')
}

if (process.argv[1] === import.meta.filename) {
  const text = renderRoutes()
  if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/routes.md is out of date: run `npm run docs:routes`.')
    process.exitCode = 1
  }
}
