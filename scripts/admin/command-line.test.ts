import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { encodeQR } from 'qr'
import { describe, expect, test } from 'vitest'
import { CommandError, UsageError } from '../operator-client'
import { parseCommandLine } from './command-line'
import { writeQrCode } from './offer-qr'
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
    ['retention', { method: 'GET', path: '/retention' }],
    ['relying-party show', { method: 'GET', path: '/relying-party' }],
    ['relying-party remove', { method: 'DELETE', path: '/relying-party' }],
    [
      'relying-party set --chain chain.pem --key key.pem --prefix x509_san_dns --verifier-info info.json',
      {
        method: 'PUT',
        path: '/relying-party',
        body: { client_id_prefix: 'x509_san_dns' },
        files: { verifier_info: 'info.json' },
        certificates: { certificate_chain: 'chain.pem' },
        texts: { private_key: 'key.pem' },
      },
    ],
    ['jobs retry j/1', { method: 'POST', path: '/jobs/j%2F1/retry' }],
    [
      'credentials offer service_age_verified_buyer --subject ages.json --tx-code yes',
      {
        method: 'POST',
        path: '/oid4vci/credential-offer',
        isWhole: true,
        body: { credential_configuration_id: 'service_age_verified_buyer', tx_code: true },
        files: { subject: 'ages.json' },
      },
    ],
    [
      'credentials offer service_mandate --subject ada.json --qr-file offer.svg',
      {
        method: 'POST',
        path: '/oid4vci/credential-offer',
        isWhole: true,
        body: { credential_configuration_id: 'service_mandate' },
        files: { subject: 'ada.json' },
        qrFile: 'offer.svg',
      },
    ],
    ['credentials revoke c/1', { method: 'POST', path: '/credentials/c%2F1/revoke' }],
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
    ['trust-lists list', { method: 'GET', path: '/trust-lists' }],
    [
      'trust-lists set EU --issuers eu.json',
      { method: 'PUT', path: '/trust-lists/EU', body: {}, files: { issuers: 'eu.json' } },
    ],
    ['trust-lists remove EU', { method: 'DELETE', path: '/trust-lists/EU' }],
    [
      'federation register https://a.example/x --types one,two --jwks keys.json --policy policy.json',
      {
        method: 'POST',
        path: '/federation/subordinates',
        body: { entity_id: 'https://a.example/x', entity_types: ['one', 'two'] },
        files: { jwks: 'keys.json', metadata_policy: 'policy.json' },
      },
    ],
    [
      'federation suspend https://a.example/x',
      {
        method: 'PATCH',
        path: '/federation/subordinates/https%3A%2F%2Fa.example%2Fx',
        body: { status: 'suspended' },
      },
    ],
    [
      'federation marks revoke https://a.example https://m.example/1',
      {
        method: 'POST',
        path: '/federation/trust-mark/revoke?sub=https%3A%2F%2Fa.example&trust_mark_id=https%3A%2F%2Fm.example%2F1',
        isWhole: true,
      },
    ],
    [
      'federation marks reinstate https://a.example https://m.example/1',
      {
        method: 'PATCH',
        path: '/federation/subordinates/https%3A%2F%2Fa.example',
        body: { reinstate_trust_mark_ids: ['https://m.example/1'] },
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
  ['trust-lists set EU'],
  ['trust-lists remove'],
  ['federation marks revoke https://a.example'],
  ['federation marks'],
  ['principals create'],
  ['principals create --wallet-client'],
  ['sandbox setup-intent --id x --deliveries many'],
  ['credentials offer service_mandate --subject ada.json --tx-code true'],
  ['credentials offer service_mandate --subject ada.json --tx-code Yes'],
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

  test('trust lists are one line for each issuer, with where its keys come from', () => {
    const issuers = [
      { issuer: 'https://a.example', algs: ['ES256', 'EdDSA'], x5c_roots: ['MII'] },
      { issuer: 'https://b.example', algs: ['EdDSA'], jwks: { keys: [] } },
      { issuer: 'https://c.example', algs: ['EdDSA'] },
    ]
    const lists = [
      { region: 'EU', issuers },
      { region: 'US', issuers: [] },
    ]
    expect(renderAnswer({ trust_lists: lists }).split('\n')).toEqual([
      'EU  https://a.example      ES256, EdDSA  certificates',
      'EU  https://b.example      EdDSA         keys of the list',
      'EU  https://c.example      EdDSA         keys as published',
      'US  no issuer but our own',
    ])
    expect(renderAnswer({ trust_lists: [] })).toBe('no regions')
  })

  const keys = [
    { kty: 'OKP', kid: 'k1', x: 'AA' },
    { kty: 'OKP', kid: 'k2', x: 'AB' },
  ]
  const entity = {
    entity_id: 'https://shop.example',
    status: 'active',
    entity_types: ['openid_relying_party', 'federation_entity'],
    jwks: { keys },
    trust_mark_ids: ['https://as.example/trust-marks/verified-merchant'],
  }

  test('entities of the federation are one line each: address, status, types and marks', () => {
    const other = { ...entity, entity_id: 'https://b.example', status: 'suspended', trust_mark_ids: [] }
    expect(renderAnswer({ subordinates: [entity, other] }).split('\n')).toEqual([
      'https://shop.example  active     openid_relying_party, federation_entity  https://as.example/trust-marks/verified-merchant',
      'https://b.example     suspended  openid_relying_party, federation_entity',
    ])
    expect(renderAnswer({ subordinates: [] })).toBe('no entities')
  })

  test('an entity of the federation is one member per line, with the ids of its keys', () => {
    expect(renderAnswer(entity)).toContain('jwks            kid k1, k2\n')
  })

  const offer = {
    credential_offer: { credential_issuer: 'https://as.example' },
    deep_link: 'openid-credential-offer://?credential_offer=x',
    qr_payload: 'openid-credential-offer://?credential_offer=x',
    expires_in: 600,
    tx_code: '123456',
  }

  test('an offer has its transaction code apart from the link, for another channel', () => {
    const lines = renderAnswer(offer).split('\n')
    expect(lines).toEqual([
      'link       openid-credential-offer://?credential_offer=x',
      'valid for  600 s',
      '',
      'Give this by another channel:',
      'transaction code  123456',
    ])
    expect(renderAnswer({ ...offer, tx_code: undefined })).toBe(lines.slice(0, 2).join('\n'))
  })

  test('an offer is drawn as a QR code where there is a terminal, before its link', () => {
    const drawn = renderAnswer(offer, { isTerminal: true })
    expect(drawn).toMatch(/^[█▀▄ \n]+\nlink /)
    expect(drawn.endsWith(renderAnswer(offer))).toBe(true)
  })

  test('an offer is written as an SVG that its owner alone may read, and that holds the link alone', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'countersign-offer-'))
    const file = path.join(folder, 'offer.svg')
    writeQrCode(file, offer)
    expect(await readFile(file, 'utf8')).toBe(encodeQR(offer.deep_link, 'svg', { ecc: 'low' }))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(() => writeQrCode(path.join(folder, 'no', 'offer.svg'), offer)).toThrow(CommandError)
    await rm(folder, { recursive: true })
  })

  test('an answer without content is said to be done', () => {
    expect(renderAnswer({})).toBe('done')
  })

  test('objects are one member per line', () => {
    expect(renderAnswer({ principal_id: 'p1', email: null })).toBe('principal_id  p1\nemail         -')
  })
})
