import { drawQrCode } from './offer-qr'

interface RenderOptions {
  /** Whether the text goes to a terminal, where a QR code can be scanned. */
  readonly isTerminal: boolean
}

/** Returns an answer of the operator API as text: lists with one line each, objects with one member per line. */
export function renderAnswer(answer: unknown, { isTerminal }: RenderOptions = { isTerminal: false }): string {
  if (!isRecord(answer)) return JSON.stringify(answer, null, 2)
  const { switches, merchants, counts, dead, retention, trust_lists: trustLists, subordinates } = answer
  if (isRecord(answer['credential_offer'])) return renderOffer(answer, isTerminal)
  if (Array.isArray(switches)) return table(switches.filter(isRecord).map(switchRow))
  if (Array.isArray(merchants)) return merchantList(merchants.filter(isRecord), answer)
  if (Array.isArray(retention)) return table(retention.filter(isRecord).flatMap(retentionRows))
  if (Array.isArray(trustLists)) return trustListTable(trustLists.filter(isRecord))
  if (Array.isArray(subordinates)) return subordinateTable(subordinates.filter(isRecord))
  if (Object.keys(answer).length === 0) return 'done'
  if (Array.isArray(counts) && Array.isArray(dead)) return jobList(counts.filter(isRecord), dead.filter(isRecord))
  return table(Object.entries(answer).map(([name, value]) => [name, name === 'jwks' ? showKeys(value) : show(value)]))
}

function switchRow({ name, enabled, default: standard }: Record<string, unknown>): string[] {
  const state = enabled === true ? 'on' : 'off'
  return [String(name), state, enabled === standard ? '' : `(default ${standard === true ? 'on' : 'off'})`]
}

/**
 * Returns what the person needs: the link, in a terminal also as a QR code, and separately the transaction code, which
 * goes through another channel.
 */
function renderOffer(offer: Record<string, unknown>, isTerminal: boolean): string {
  const { deep_link: link, expires_in: seconds, tx_code: txCode } = offer
  const drawn = isTerminal ? [drawQrCode(offer, 'ascii')] : []
  const rows = table([
    ['link', show(link)],
    ['valid for', `${show(seconds)} s`],
  ])
  const apart = txCode === undefined ? [] : ['', 'Give this by another channel:', `transaction code  ${show(txCode)}`]
  return [...drawn, rows, ...apart].join('\n')
}

/** Returns one line for each table; the first also has the retention period and when the oldest row is deleted. */
function retentionRows({ tables, kept, oldest_goes_at: goesAt }: Record<string, unknown>): string[][] {
  const period = typeof kept === 'number' ? `${kept} s` : String(kept).replaceAll('_', ' ')
  return (Array.isArray(tables) ? tables.filter(isRecord) : []).map(({ table: name, rows }, index) => [
    String(name),
    `${String(rows)} rows`,
    index === 0 ? period : '',
    index === 0 && goesAt !== null ? `oldest goes ${show(goesAt)}` : '',
  ])
}

function merchantList(merchants: readonly Record<string, unknown>[], answer: Record<string, unknown>): string {
  if (merchants.length === 0) return `no merchants on this page, ${String(answer['total'])} in all`
  const rows = merchants.map((merchant) => [
    ...['id', 'business_name', 'verification_status', 'merchant_audience'].map((member) => show(merchant[member])),
    isRecord(merchant['federation']) ? `federation: ${show(merchant['federation']['status'])}` : '',
  ])
  return `${table(rows)}\npage ${String(answer['page'])}, ${String(answer['total'])} in all`
}

/** Returns one line for each issuer of each region. */
function trustListTable(lists: readonly Record<string, unknown>[]): string {
  if (lists.length === 0) return 'no regions'
  const rows = lists.flatMap(({ region, issuers }) => {
    const trusted = Array.isArray(issuers) ? issuers.filter(isRecord) : []
    if (trusted.length === 0) return [[show(region), 'no issuer but our own', '', '']]
    return trusted.map((issuer) => [show(region), show(issuer['issuer']), show(issuer['algs']), keySourceOf(issuer)])
  })
  return table(rows)
}

function keySourceOf({ jwks, x5c_roots: roots }: Record<string, unknown>): string {
  if (isRecord(jwks)) return 'keys of the list'
  return Array.isArray(roots) ? 'certificates' : 'keys as published'
}

/** Returns one line for each entity, the same members as in the registration. */
function subordinateTable(entities: readonly Record<string, unknown>[]): string {
  if (entities.length === 0) return 'no entities'
  return table(
    entities.map((entity) =>
      ['entity_id', 'status', 'entity_types', 'trust_mark_ids'].map((member) => show(entity[member])),
    ),
  )
}

/** Returns the ids of keys; their numbers say nothing to a reader. */
function showKeys(jwks: unknown): string {
  const keys = isRecord(jwks) && Array.isArray(jwks['keys']) ? jwks['keys'].filter(isRecord) : []
  return keys.length === 0 ? show(jwks) : `kid ${keys.map(({ kid }) => show(kid)).join(', ')}`
}

function jobList(counts: readonly Record<string, unknown>[], dead: readonly Record<string, unknown>[]): string {
  if (counts.length === 0) return 'no jobs'
  const cells = (row: Record<string, unknown>, ...members: string[]) => members.map((member) => show(row[member]))
  const rows = dead.map((job) => cells(job, 'id', 'kind', 'attempts', 'created_at', 'last_error'))
  const counted = table(counts.map((row) => cells(row, 'kind', 'state', 'count')))
  return rows.length === 0 ? counted : `${counted}\n\ngiven up, the newest first:\n${table(rows)}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => toLine(row).trimEnd()).join('\n')
}

function show(value: unknown): string {
  if (value === null) return '-'
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(show).join(', ') : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
