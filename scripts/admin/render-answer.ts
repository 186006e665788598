/** An answer of the operator API as text: lists as one line each, objects as one member per line. */
export function renderAnswer(answer: unknown): string {
  if (!isRecord(answer)) return JSON.stringify(answer, null, 2)
  const { switches, merchants, counts, dead } = answer
  if (Array.isArray(switches)) return table(switches.filter(isRecord).map(switchRow))
  if (Array.isArray(merchants)) return merchantList(merchants.filter(isRecord), answer)
  if (Array.isArray(counts) && Array.isArray(dead)) return jobList(counts.filter(isRecord), dead.filter(isRecord))
  return table(Object.entries(answer).map(([name, value]) => [name, show(value)]))
}

function switchRow({ name, enabled, default: standard }: Record<string, unknown>): string[] {
  const state = enabled === true ? 'on' : 'off'
  return [String(name), state, enabled === standard ? '' : `(default ${standard === true ? 'on' : 'off'})`]
}

function merchantList(merchants: readonly Record<string, unknown>[], answer: Record<string, unknown>): string {
  if (merchants.length === 0) return `no merchants on this page, ${String(answer['total'])} in all`
  const rows = merchants.map((merchant) =>
    ['id', 'business_name', 'verification_status', 'merchant_audience'].map((member) => show(merchant[member])),
  )
  return `${table(rows)}\npage ${String(answer['page'])}, ${String(answer['total'])} in all`
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
