import * as fc from 'fast-check'
import type { EndpointShape } from '@/server/base/contract/endpoint'
import { namesOf, schemaOfBody } from './world'

const CLIENT_PARAMETERS = ['client_id', 'client_assertion', 'client_assertion_type', 'client_secret']
const ODD_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a.b', 'a[]', '0', '\u0000']

const jwt = (header: unknown, payload: unknown, signature = 'AAAA') =>
  [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + `.${signature}`

export const texts: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' ',
  nul: 'a\u0000b',
  'line ends': 'a\r\nSet-Cookie: b=c\t',
  quotes: `"'\\;--/*\``,
  format: '%s%n${1}{{x}}$1',
  wildcard: '%_*?',
  proto: '__proto__',
  'a constructor': 'constructor',
  'a method': 'toString',
  'right to left': '\u202eabc\u2066',
  'beyond the BMP': '\u{1f4b3}\u{10ffff}',
  'byte order mark': '\ufeffx',
  infinite: '1e999',
  negative: '-1',
  'unsafe integer': '9007199254740993',
  'integer beyond 64 bits': '99999999999999999999',
  null: 'null',
  list: '[]',
  'broken URL': 'https://[::1',
  'script URL': 'javascript:alert(1)',
  traversal: '../../../etc/passwd',
  date: '+275760-09-13T00:00:00.001Z',
  'year 0': '0000-00-00T00:00:00Z',
  long: 'x'.repeat(60_000),
  huge: 'x'.repeat(200_000),
  'two segments': 'a.b',
  'three segments': 'a.b.c',
  'four segments': 'a.b.c.d',
  'five segments': 'a.b.c.d.e',
  dots: '.'.repeat(3_000),
  tildes: '~'.repeat(3_000),
  'alg none': jwt({ alg: 'none', typ: 'JWT' }, { sub: 'x', iss: 'x' }, ''),
  'alg missing': jwt({}, {}),
  'kid proto': jwt({ alg: 'EdDSA', typ: 'at+jwt', kid: '__proto__' }, { sub: 'x' }),
  'header a list': jwt([], null),
  'unknown crit': jwt({ alg: 'EdDSA', crit: ['x'], x: 1 }, { sub: 'x' }),
  'foreign key': jwt({ alg: 'EdDSA', typ: 'dpop+jwt', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA' } }, { jti: 'x' }),
  'times as text': jwt({ alg: 'EdDSA' }, { sub: 'x', iss: 'x', iat: '1', exp: {}, nbf: [] }),
  'huge token': jwt({ alg: 'EdDSA' }, { sub: 'x'.repeat(6_000) }),
  'selective disclosure': `${jwt({ alg: 'EdDSA', typ: 'dc+sd-jwt' }, { _sd: [1, null, 'x'], _sd_alg: 'md5' })}~WyJhIl0~${'e30~'.repeat(70)}`,
}

/** Percent-encoded text as it stands in a target or form, right or wrong. */
export const wires: Readonly<Record<string, string>> = {
  'encoded NUL': '%00',
  'NUL inside': 'a%00b',
  'invalid UTF-8': '%ff%fe',
  'cut UTF-8': '%E0%A4%A',
  'overlong UTF-8': '%c0%af',
  'lone surrogate': '%ED%A0%80',
  'bare percent': '%',
  'no hex': '%zz',
  'encoded slash': '%2F..%2F',
  'encoded twice': '%252F%2500',
  'encoded dots': '%2e%2e',
  dots: '..',
  plus: '+',
  'long path': 'y'.repeat(6_000),
}

/** JSON as text, so that it may also be none. */
export const jsons: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  false: 'false',
  zero: '0',
  'minus zero': '-0',
  half: '0.5',
  negative: '-1',
  infinite: '1e400',
  tiny: '1e-400',
  'unsafe integer': '9007199254740993',
  'beyond 64 bits': '1e30',
  list: '[]',
  object: '{}',
  'list of lists': '[[[]]]',
  'list of texts': '["x","x"]',
  'list of nothing': '[null,{},0]',
  'long list': `[${'1,'.repeat(9_000)}1]`,
  'proto object': '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}',
  'shadowed methods': '{"toString":1,"hasOwnProperty":1,"toJSON":1,"then":1}',
  NUL: '"a\\u0000b"',
  'NUL in a name': '{"a\\u0000":1}',
  'lone surrogate': '"\\ud800"',
  'surrogates in wrong order': '"\\udc00\\ud800"',
  'deep list': '['.repeat(28) + ']'.repeat(28),
  'very deep list': '['.repeat(5_000) + ']'.repeat(5_000),
  'very deep object': '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
  'not a number': 'NaN',
  'no JSON': "'x'",
  nothing: '',
  'a member that repeats itself': '1,"a":1,"a":2',
}

export const bodies: Readonly<Record<string, Buffer>> = {
  empty: Buffer.from(''),
  'open brace': Buffer.from('{'),
  'a list': Buffer.from('[]'),
  'a text': Buffer.from('"x"'),
  null: Buffer.from('null'),
  'byte order mark': Buffer.from('\ufeff{}'),
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'gzip magic': Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
  zeros: Buffer.alloc(1_000),
  'form of separators': Buffer.from('&&==&=&'),
  'form of bad escapes': Buffer.from('client_id=%&token=%zz'),
  'form of raw bytes': Buffer.from([0x61, 0x3d, 0xff, 0x26, 0x00, 0x3d, 0x62]),
  'many parameters': Buffer.from('a=1&'.repeat(2_000)),
  deep: Buffer.from('{"a":'.repeat(20_000)),
  huge: Buffer.alloc(300_000, 'x'),
}

export const headers: Readonly<Record<string, string>> = {
  empty: '',
  blank: '   ',
  tab: 'a\tb',
  'bytes beyond ASCII': '\x80\xff\xc3\x28',
  long: 'x'.repeat(1_000),
  commas: ','.repeat(1_000),
  quote: '"',
  proto: '__proto__',
  Basic: 'Basic Og==',
  'scheme alone': 'DPoP',
  'scheme and blank': 'DPoP ',
  'three parts': 'Bearer a b',
  'DPoP garbage': `DPoP ${texts['kid proto']}`,
  'Bearer garbage': `Bearer ${texts['alg none']}`,
  'PrivateKeyJwt garbage': `PrivateKeyJwt ${texts['times as text']}`,
  'proof of nothing': texts['foreign key'] ?? '',
  'signature of nothing': 't=,v1=,t=1,v1=zz',
  'any tag': '*, W/"x", "',
  quality: 'text/html;q=1e9, */*;q=-1',
  'form type': 'application/x-www-form-urlencoded',
  'JSON in UTF-16': 'application/json; charset=utf-16',
  'multipart without boundary': 'multipart/form-data; boundary=',
  'type with parameters': 'application/json;;;charset="',
  'other JSON': 'application/ld+json',
}

const tables = { texts, wires, jsons, headers, bodies } as const
type TableName = keyof typeof tables

/** Something hostile by its place in a table, which keeps what a failure prints short, or made up. */
export type Value = { readonly table: TableName; readonly named: string } | { readonly made: string }

const from = (table: TableName) =>
  fc.constantFrom(...Object.keys(tables[table])).map((named): Value => ({ table, named }))
const madeText = fc.string({ unit: 'binary', maxLength: 40 }).map((made): Value => ({ made }))
const madeJson = fc.jsonValue({ maxDepth: 3 }).map((value): Value => ({ made: JSON.stringify(value) }))
const madeHeader = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => (code === 0x7f ? '~' : String.fromCodePoint(code))),
  })
  .map((made): Value => ({ made }))

export interface Mutation {
  readonly place: 'path' | 'query' | 'header' | 'member' | 'body'
  readonly name: string
  readonly value: Value
  readonly twice: boolean
}

export interface Plan {
  readonly caller: 'good' | 'nobody' | 'impostor'
  readonly variant: number
  readonly mutations: readonly Mutation[]
}

function mutationsOf(endpoint: EndpointShape): fc.Arbitrary<Mutation> {
  const { body } = endpoint
  const members = [...namesOf(schemaOfBody(endpoint)), ...ODD_NAMES, ...CLIENT_PARAMETERS]
  const webhook = body?.kind === 'raw' ? ['id', 'type', 'data', 'object', 'bump_id', 'action', 'token'] : []
  const headerNames = ['accept', 'content-type', 'authorization', 'dpop', 'idempotency-key', 'if-none-match']
  const wire = fc.oneof(from('texts'), from('wires'), madeText)
  const bodyPlaces =
    body === undefined
      ? []
      : [
          at('body', ['all'], { weight: 1, values: from('bodies') }),
          at('member', [...members, ...webhook], {
            weight: 5,
            values: fc.oneof(from('texts'), ...othersIn(body.kind)),
          }),
        ]
  return fc.oneof(
    at('path', namesOf(endpoint.params), { weight: 4, values: wire }),
    at('query', [...namesOf(endpoint.query), ...ODD_NAMES], {
      weight: endpoint.query === undefined ? 1 : 5,
      values: wire,
    }),
    at('header', [...headerNames, ...(endpoint.headers ?? [])], {
      weight: 2,
      values: fc.oneof(from('headers'), madeHeader),
    }),
    ...bodyPlaces,
  )
}

function at(
  place: Mutation['place'],
  names: readonly string[],
  { weight, values }: { weight: number; values: fc.Arbitrary<Value> },
): fc.WeightedArbitrary<Mutation> {
  // A place without names is never drawn.
  const name = fc.constantFrom(...(names.length === 0 ? ['none'] : names))
  const arbitrary = fc.record({ place: fc.constant(place), name, value: values, twice: fc.boolean() })
  return { weight: names.length === 0 ? 0 : weight, arbitrary }
}

function othersIn(kind: 'json' | 'form' | 'raw'): fc.Arbitrary<Value>[] {
  return kind === 'form' ? [from('wires'), madeText] : [from('jsons'), madeJson, madeText]
}

export const planOf = (endpoint: EndpointShape): fc.Arbitrary<Plan> =>
  fc.record({
    // Most come from somebody who may, since only then does the verb get to see them.
    caller: fc.constantFrom('good', 'good', 'good', 'good', 'nobody', 'impostor'),
    variant: fc.nat(1),
    mutations: fc.array(mutationsOf(endpoint), { minLength: 1, maxLength: 2 }),
  })
