import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const boot = { database: 'embedded', databaseVersion: '17', milliseconds: 900, sandbox: true }
const module = new URL('summary.mjs', import.meta.url).href

/** The effects of a start on the database, and other facts where they matter. */
interface Start {
  readonly migrationsApplied: number
  readonly isFirstRun: boolean
  readonly sandbox?: boolean
  readonly mail?: 'outbox' | 'smtp'
  readonly warnings?: readonly string[]
}

const again: Start = { migrationsApplied: 0, isFirstRun: false }

/** Returns the summary that a start prints. */
function summaryOf(env: Readonly<Record<string, string>>, start = again, seeded: object | null = null, prefix = '') {
  const rest = { signingKid: 'abcdefgh', seeded, mail: 'outbox', warnings: [], baseUrl: 'http://localhost' }
  const facts = { ...boot, ...rest, ...start }
  const script = `import { printSummary } from '${module}'; printSummary(...${JSON.stringify([facts, env, prefix])})`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { NODE_ENV: 'test' },
  })
}

test('the demo that is named reaches the server that has started', () => {
  expect(summaryOf({})).toContain('Next:  npm run demo  watch')
  expect(summaryOf({}, again, null, 'PORT=4000 DATA_DIR=/srv/data ')).toContain(
    'Next:  PORT=4000 DATA_DIR=/srv/data npm run demo  watch',
  )
})

test.each<[string, Start, string[]]>([
  [
    'the first',
    { migrationsApplied: 12, isFirstRun: true },
    ['first run 0.9 s', 'migrations  12 applied', 'signing keys created'],
  ],
  [
    'one after an upgrade',
    { migrationsApplied: 2, isFirstRun: false },
    ['ready in 0.9 s', 'migrations  2 applied', 'signing keys loaded'],
  ],
  [
    'the first after migrations by another tool',
    { migrationsApplied: 0, isFirstRun: true },
    ['first run 0.9 s', 'migrations  up to date', 'signing keys created'],
  ],
  ['any other', again, ['ready in 0.9 s', 'migrations  up to date', 'signing keys loaded']],
])('a start that is %s says what it did', (_which, start, words) => {
  const summary = summaryOf({ PORT: '3000' }, start)
  for (const said of words) expect(summary).toContain(said)
})

test('a live server without processor and mail server has no tick before them, and its warnings are shown', () => {
  const live = { ...again, sandbox: false, warnings: ['Mail goes nowhere: set SMTP_URL.'] }
  const lines = summaryOf({ PORT: '3000' }, live).split('\n')
  expect(lines).toContain('  ! processor   none (set STRIPE_SECRET_KEY)')
  expect(lines).toContain('  ! mail        none')
  expect(lines).toContain('  ! Mail goes nowhere: set SMTP_URL.')
  const served = summaryOf({ PORT: '3000', STRIPE_SECRET_KEY: 'sk_live_x' }, { ...live, mail: 'smtp', warnings: [] })
  expect(served.split('\n')).toEqual(expect.arrayContaining(['  ✓ processor   Stripe', '  ✓ mail        SMTP']))
  expect(served).not.toContain('!')
})

test.each([
  ['EUR', 2, '€50/day'],
  ['HUF', 2, 'HUF\u00a050/day'],
  ['HUF', 2, 'HUF\u00a020.50 each'],
  ['IQD', 3, 'IQD\u00a05/day'],
  ['IQD', 3, 'IQD\u00a02.050 each'],
  ['JPY', 0, '¥5,000/day'],
])('limits in %s are printed with its %i digits: %s', (currency, digits, text) => {
  const limits = { currency, digits, dailyCapMinor: 5_000, singleTxnCapMinor: 2_050 }
  expect(summaryOf({ PORT: '3000' }, again, { email: 'ada@demo.test', card: null, limits })).toContain(text)
})
