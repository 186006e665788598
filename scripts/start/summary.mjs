import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { bold, dim, done, interactive, line, warn, yellow } from './screen.mjs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Prints the first line: the version, and whether real money is involved, unless `SANDBOX` cannot be read. */
export function printTitle({ SANDBOX = '', DATABASE_URL = '' }) {
  const isSandbox = SANDBOX === '' ? DATABASE_URL === '' : /^(true|1)$/.test(SANDBOX)
  const mode = isSandbox ? yellow('sandbox mode — no real money') : /^(false|0|)$/.test(SANDBOX) ? 'live mode' : ''
  line()
  line(`${bold(`${manifest.name} ${manifest.version}`)}  ${mode}`)
}

/** Returns where the server stores its data, and whether there is a database already. */
export function describeDataDir(env) {
  const dir = path.resolve(env.DATA_DIR || './data')
  const near = path.relative(process.cwd(), dir)
  const shown = near !== '' && !near.startsWith('..') ? `./${near}` : dir
  return `data ${shown}${existsSync(dir) ? '' : ' (new)'}`
}

/** Prints the facts of the running server; `prefix` stands before commands that are to reach it. */
export function printSummary(boot, env, prefix) {
  const { migrationsApplied, isFirstRun } = boot
  const database =
    boot.database === 'embedded' ? `PGlite (PostgreSQL ${boot.databaseVersion})` : `PostgreSQL ${boot.databaseVersion}`
  done(`database    ${database}  ${isFirstRun ? 'first run' : 'ready in'} ${(boot.milliseconds / 1000).toFixed(1)} s`)
  done(
    `migrations  ${migrationsApplied > 0 ? `${migrationsApplied} applied` : 'up to date'}`,
    `signing keys ${isFirstRun ? 'created' : 'loaded'} (EdDSA, kid ${boot.signingKid.slice(0, 6)}…)`,
  )
  printOutside(boot, env)
  for (const warning of boot.warnings) warn(warning)
  if (boot.seeded) done(`demo data   ${describeSeed(boot.seeded)}`)
  line()
  printAddresses(boot)
  printNext(boot, prefix)
}

function describeSeed({ email, card, limits }) {
  const parts = [`principal ${email}`]
  if (card) parts.push(`card •••• ${card.last4}`)
  const caps =
    limits === null ? [] : [cap(limits, limits.dailyCapMinor, '/day'), cap(limits, limits.singleTxnCapMinor, ' each')]
  const given = caps.filter((text) => text !== null)
  if (given.length > 0) parts.push(`limits ${given.join(' ')}`)
  return parts.join(' · ')
}

function cap({ currency, digits }, amountMinor, per) {
  if (amountMinor === null) return null
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return `${format.format(amountMinor / 10 ** digits).replace(/\.0+$/, '')}${per}`
}

function printAddresses({ baseUrl, seeded, sandbox }) {
  const hint =
    seeded === null
      ? ''
      : interactive
        ? dim('press d, then “Continue as Ada”')
        : `sign in as ${seeded.email} at ${baseUrl}/sign-in`
  line(`Wallet portal      ${baseUrl}  ${hint}`)
  line(`Authorization API  ${baseUrl}/.well-known/oauth-authorization-server`)
  line(`API reference      ${baseUrl}/docs  ${dim('openapi.json (3.1)')}`)
  if (sandbox) line(`Sandbox merchant   ${baseUrl}/sandbox/merchants/tallow-books  ${dim('"Tallow Books"')}`)
  line()
}

function printNext({ sandbox, seeded, database }, prefix) {
  if (sandbox) line(`Next:  ${bold(`${prefix}npm run demo`)}  watch an agent buy a book   (30 s)`)
  if (!interactive) return
  const keys = [
    ...(seeded === null ? [] : ['d sign-in page, for Ada']),
    'o open wallet',
    ...(sandbox && database === 'embedded' ? ['r reset sandbox'] : []),
    'q quit',
  ]
  line(`Keys:  ${keys.join(' · ')}`)
  line()
}

/** Prints who charges cards and who carries mail; outside the sandbox that may be nobody. */
function printOutside({ mail, sandbox, baseUrl }, { STRIPE_SECRET_KEY }) {
  const mark = (isThere) => (sandbox || isThere ? done : warn)
  const processor = STRIPE_SECRET_KEY ? 'Stripe' : sandbox ? 'built-in fake' : 'none (set STRIPE_SECRET_KEY)'
  const carrier = mail === 'smtp' ? 'SMTP' : sandbox ? `→ ${baseUrl}/sandbox/outbox` : 'none'
  mark(Boolean(STRIPE_SECRET_KEY))(`processor   ${processor}`)
  mark(mail === 'smtp')(`mail        ${carrier}`)
}
