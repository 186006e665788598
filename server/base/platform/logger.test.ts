import { describe, expect, test } from 'vitest'
import { createLogger } from './logger'

function capture(level: 'info' | 'warn' = 'info') {
  const lines: string[] = []
  return { lines, log: createLogger(level, { write: (line) => lines.push(line) }) }
}

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const token = 'A'.repeat(43)

describe('logger', () => {
  test('the logger writes one JSON object per line', () => {
    const { lines, log } = capture()
    log.info('served', { requestId: 'r1', status: 200, ok: true, none: null })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.endsWith('\n')).toBe(true)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      message: 'served',
      requestId: 'r1',
      status: 200,
      ok: true,
      none: null,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
  })

  test('a line break in a value does not start a new line', () => {
    const { lines, log } = capture()
    log.warn('a\r\nb', { path: '/x\n{"level":"info"}' })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/)
  })

  test('the logger keeps to its level', () => {
    const { lines, log } = capture('warn')
    log.info('unheard')
    log.error('heard')
    expect(lines).toHaveLength(1)
  })

  test('the logger writes causes with name, message and stack, and the causes of these', () => {
    const { lines, log } = capture()
    const inner = Object.assign(new TypeError('inner'), { parameters: ['secret value'] })
    log.error('failed', { code: 'server_error' }, new Error('outer', { cause: inner }))
    const line = JSON.parse(lines[0] ?? '')
    expect(line.cause).toMatchObject({ name: 'Error', message: 'outer', stack: expect.stringContaining('outer') })
    expect(line.cause.cause).toMatchObject({ name: 'TypeError', message: 'inner' })
    expect(lines[0]).not.toContain('secret value')
  })

  test('the logger cuts text that looks like a token', () => {
    const { lines, log } = capture()
    log.error(`refused ${token}`, { detail: `got ${jwt}` }, new Error(`bad ${jwt}~WyJz and code=${token}&x`))
    expect(lines[0]).not.toContain(jwt)
    expect(lines[0]).not.toContain(token)
    expect(JSON.parse(lines[0] ?? '').cause.message).toBe('bad [cut] and code=[cut]&x')
  })

  test.each([
    ['an opaque token', token],
    ['a JWT', jwt],
  ])('no piece of %s stands where a long text is cut', (_what, secret) => {
    const { lines, log } = capture()
    const long = `${'x '.repeat(995)}${secret}${' y'.repeat(100)}`
    log.error(long, { detail: long }, new Error(long))
    expect(lines[0]).not.toContain(secret.slice(0, 4))
    expect(JSON.parse(lines[0] ?? '').message).toMatch(/^(x ){995}\[cut\]$/)
  })

  test('the logger takes causes that are no errors', () => {
    const { lines, log } = capture()
    log.warn('odd', {}, 'just text')
    expect(JSON.parse(lines[0] ?? '').cause).toEqual({ name: 'string', message: 'just text' })
  })
})
