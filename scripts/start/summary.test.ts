import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const boot = { database: 'embedded', databaseVersion: '17', milliseconds: 900, migrationsApplied: 0, sandbox: true }
const module = new URL('summary.mjs', import.meta.url).href

/** What a start prints in the end. */
function summaryOf(env: Readonly<Record<string, string>>): string {
  const facts = { ...boot, signingKid: 'abcdefgh', seeded: null, mail: 'outbox', baseUrl: 'http://localhost' }
  const script = `import { printSummary } from '${module}'; printSummary(${JSON.stringify(facts)}, ${JSON.stringify(env)})`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { NODE_ENV: 'test' },
  })
}

test.each([
  ['the usual port', { PORT: '3000' }, 'Next:  npm run demo  watch'],
  ['another port', { PORT: '4000' }, 'Next:  PORT=4000 npm run demo  watch'],
  ['an address of its own', { PORT: '4000', BASE_URL: 'https://pay.example' }, 'Next:  npm run demo  watch'],
])('the demo that is named goes to the server that has started, at %s', (_where, env, line) => {
  expect(summaryOf(env)).toContain(line)
})
