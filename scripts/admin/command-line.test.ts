import { describe, expect, test } from 'vitest'
import { UsageError } from './command'
import { parseCommandLine } from './command-line'
import { renderAnswer } from './render-answer'

const callOf = (line: string) => {
  const parsed = parseCommandLine(line.split(' '))
  return parsed.kind === 'call' ? parsed.call : parsed
}

describe('a command becomes one call of the operator API', () => {
  test.each([
    ['switches', { method: 'GET', path: '/switches' }],
    ['switch settlement off', { method: 'PUT', path: '/switches/settlement', body: { enabled: false } }],
    ['switch consent_scan on', { method: 'PUT', path: '/switches/consent_scan', body: { enabled: true } }],
    ['jobs', { method: 'GET', path: '/jobs' }],
    ['jobs retry j/1', { method: 'POST', path: '/jobs/j%2F1/retry' }],
    ['keys block a/b', { method: 'POST', path: '/signing-keys/a%2Fb/block' }],
    ['keys block -a-b --json', { method: 'POST', path: '/signing-keys/-a-b/block' }],
    ['keys block -- --a', { method: 'POST', path: '/signing-keys/--a/block' }],
    [
      'wallet-clients create --name Bank --jwks keys.json',
      { method: 'POST', path: '/wallet-clients', body: { name: 'Bank' }, files: { jwks: 'keys.json' } },
    ],
    [
      'principals create --wallet-client w1 --email a@b.example --name Ada',
      {
        method: 'POST',
        path: '/principals',
        body: { wallet_client_id: 'w1', email: 'a@b.example', display_name: 'Ada' },
        files: {},
      },
    ],
    ['merchants list --page 2 --page-size 10', { method: 'GET', path: '/merchants?page=2&page_size=10' }],
    [
      'merchants update m/1 --max-fee-bps 250 --contact-email shop@example.com',
      {
        method: 'PATCH',
        path: '/merchants/m%2F1',
        body: { max_application_fee_bps: 250, contact_email: 'shop@example.com' },
      },
    ],
    [
      'merchants update m/1 --contact-email none',
      { method: 'PATCH', path: '/merchants/m%2F1', body: { contact_email: null } },
    ],
    [
      'merchants update m/1 --currencies EUR,JPY --connected-account none',
      {
        method: 'PATCH',
        path: '/merchants/m%2F1',
        body: { accepts_currency: ['EUR', 'JPY'], connected_account_id: null },
      },
    ],
    ['sandbox principal', { method: 'POST', path: '/sandbox/principals', body: {}, files: {} }],
    [
      'sandbox setup-intent --id seti_1 --card decline --deliveries 3',
      {
        method: 'POST',
        path: '/sandbox/setup-intents',
        body: { setup_intent_id: 'seti_1', card: 'decline', deliveries: 3 },
        files: {},
      },
    ],
    [
      'sandbox dispute --payment pi_1 --status won',
      {
        method: 'POST',
        path: '/sandbox/disputes',
        body: { payment_intent_id: 'pi_1', dispute_status: 'won' },
        files: {},
      },
    ],
  ])('%s', (line, call) => {
    expect(callOf(line)).toEqual(call)
  })

  test('--json may stand anywhere', () => {
    expect(parseCommandLine(['switches', '--json'])).toMatchObject({ kind: 'call', json: true })
    expect(parseCommandLine(['--json', 'switch', 'settlement', 'on'])).toMatchObject({ json: true })
    expect(parseCommandLine(['switches'])).toMatchObject({ json: false })
  })
})

test.each([
  ['nonsense'],
  ['switch settlement'],
  ['switch settlement maybe'],
  ['switch everything off'],
  ['switch settlement on off'],
  ['switches --loud'],
  ['principals create'],
  ['principals create --wallet-client'],
  ['sandbox setup-intent --id x --deliveries many'],
])('"%s" is a usage error', (line) => {
  expect(() => parseCommandLine(line.split(' '))).toThrow(UsageError)
})

describe('help', () => {
  test('lists every command', () => {
    const help = parseCommandLine(['--help'])
    expect(help).toMatchObject({ kind: 'help', text: expect.stringContaining('switch <name> <on|off>') })
    expect(parseCommandLine([])).toEqual(help)
  })

  test('shows the options of one command', () => {
    const text = 'npm run admin -- sandbox setup-token --principal <principal_id> [--scope <scopes>] [--json]'
    expect(parseCommandLine(['sandbox', 'setup-token', '--help'])).toEqual({ kind: 'help', text })
  })
})

describe('answers as text', () => {
  test('switches are one line each, and differences from the default are said', () => {
    const switches = [
      { name: 'settlement', enabled: false, default: true },
      { name: 'federation', enabled: false, default: false },
    ]
    expect(renderAnswer({ switches })).toBe('settlement  off  (default on)\nfederation  off')
  })

  test('objects are one member per line', () => {
    expect(renderAnswer({ principal_id: 'p1', email: null })).toBe('principal_id  p1\nemail         -')
  })
})
