import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('capture-output.ts', import.meta.url))
const logger = fileURLToPath(new URL('logger.ts', import.meta.url))
const token = 'A'.repeat(43)

/** Runs a program in a process of its own whose output is captured. */
function run(program: string) {
  const source = `
    import { captureOutput } from ${JSON.stringify(module)}
    import { createLogger } from ${JSON.stringify(logger)}
    captureOutput(createLogger('info'))
    ${program}`
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', source],
    { encoding: 'utf8' },
  )
  return { status, stderr, raw: stdout, lines: stdout.split('\n').filter((line) => line !== '') }
}

test('G45 every line that is printed becomes one log line of JSON of at most a kilobyte', () => {
  const { raw, lines, stderr } = run(`
    console.log('\\u001b[33ma\\u001b[0m\\r\\nb', { c: 1 })
    console.error(new Error('no such image'))
    console.warn('x'.repeat(5_000), '\\u2028\\u009b31m')
    console.error('\\u0001'.repeat(5_000))
    console.info('got ${token}')
    process.stdout.write('plain\\n')
    process.stderr.write(Buffer.from('\\u001b[31mred\\u001b[0m \\u009b31m \\u202e\\n'))
    process.emitWarning('old function')
  `)
  expect(stderr).toBe('')
  expect(lines).toHaveLength(8)
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(1_024)
  const controls = [...raw].filter((sign) => sign !== '\n' && /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(sign))
  expect(controls).toEqual([])
  expect(raw).not.toContain(token)
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.map(({ level }) => level)).toEqual(['info', 'error', 'warn', 'error', 'info', 'info', 'warn', 'warn'])
  expect(logged.every(({ message, time }) => message === 'printed' && !Number.isNaN(Date.parse(time)))).toBe(true)
  expect([logged[0].text, logged[5].text]).toEqual(['a\r\nb { c: 1 }', 'plain'])
  expect(logged[7].text).toBe('Warning: old function')
})

test('G45 a printed line is measured as it is written, and cut only after its tokens are', () => {
  const { raw, lines } = run(`
    for (const sign of ['\\u007f', '\\u0080', '\\u200b', '\\u202e']) console.error(sign.repeat(5_000))
    console.log('x '.repeat(399) + '${token}' + ' y'.repeat(200))
  `)
  expect(lines).toHaveLength(5)
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(1_024)
  expect(raw).not.toContain('AAAA')
  expect(JSON.parse(lines[4] ?? '').text).toMatch(/^(x ){399}\[cut\]( y)+$/)
})

test.each([
  ['an error that nobody catches', `setTimeout(() => { throw new Error('lost') })`],
  ['a promise that nobody waits for', `Promise.reject(new Error('lost'))`],
])('G45 %s ends the process with one line of JSON', (_what, program) => {
  const { status, lines, stderr } = run(program)
  expect([status, stderr, lines.length]).toEqual([1, '', 1])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'process failed',
    cause: { message: 'lost' },
  })
})
