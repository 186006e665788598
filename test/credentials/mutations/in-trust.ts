import type { Mutation } from './mutation'

const PROTOCOL = 'server/base/protocol'
const SUITES = 'test/credentials'

const inChain = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/certificate-chain.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/certificate-chain.test.ts`],
})

const inStatusList = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/status-list-token.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/status-list-token.test.ts`],
})

const inVerifier = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: 'server/credentials/presentations/verify-presentations.ts',
  find,
  replace,
  tests: [`${SUITES}/verify-refusals.test.ts`, `${SUITES}/authorities.test.ts`],
})

const inQuery = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/dcql.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/dcql.test.ts`],
})

const inAnswer = (name: string, file: string, [find, replace]: readonly [string, string]): Mutation => ({
  name,
  file,
  find,
  replace,
  tests: [`${SUITES}/requests-answered.test.ts`],
})
const RESPONSE = 'server/credentials/presentations/take-response.ts'

/** Checks of whom the verifiers trust, and of what answers a request. */
export const mutationsOfTrust: readonly Mutation[] = [
  inChain('a certificate by one that may not issue any', 'issuer.isCa && isBounded', 'isBounded'),
  inChain('more authorities than a certificate allows', 'issuer.isCa && isBounded', 'issuer.isCa'),
  inChain('a certificate of another host', 'ensure(namesHost(leaf, host),', 'ensure(host.length > 0,'),
  inChain('a certificate after its time', 'now >= notBefore && now <= notAfter', 'now >= notBefore'),
  inChain('a certificate before its time', 'now >= notBefore && now <= notAfter', 'now <= notAfter'),
  inChain('a chain with its root', 'ensure(isRootLeftOut,', 'ensure(true,'),
  inChain('a chain with a missing link', 'ensure(path,', 'ensure(path || chain.length > 1,'),
  inChain('a chain to any root', 'ensure(isAnchored,', 'ensure(anchors.length > 0,'),
  inChain('a certificate whose key is not for signatures', 'ensure(leaf.signs,', 'ensure(true,'),

  inStatusList('a status list of any typ', "hasType(jws.header, 'statuslist+jwt')", 'jws.header.alg.length > 0'),
  inStatusList('a status list for another address', "claims['sub'] === uri", "claims['sub'] !== undefined"),
  inStatusList(
    'a status list of another issuer',
    "claims['iss'] === undefined || claims['iss'] === issuer",
    'issuer.length > 0',
  ),
  inStatusList('an expired status list', 'expiresAt === null || expiresAt > seconds', 'seconds > 0'),
  inStatusList(
    'a status list whose signature does not verify',
    'await verifyJws(jws, { key: await findKey(jws.header), algorithms })',
    'await findKey(jws.header)',
  ),
  {
    name: 'a suspended credential',
    file: 'server/credentials/trust-lists/read-foreign-status.ts',
    find: 'status === STATUS.valid)',
    replace: 'status === STATUS.valid || status === STATUS.suspended)',
    tests: [`${SUITES}/trust-lists-status.test.ts`],
  },

  inVerifier('an issuer that the region does not trust', 'issuer === parsed.issuer && ', ''),
  inVerifier(
    'a type that the issuer is not trusted for',
    'vctValues === null || vctValues.includes(parsed.vct)',
    'parsed.vct.length > 0',
  ),
  inVerifier('a revoked attestation', "status !== 'valid'", "status === 'valid' && false"),
  inVerifier(
    'an issuer of another authority than the query names',
    'authorityKeyIds !== undefined && ',
    'authorityKeyIds?.length === 0 && ',
  ),
  {
    name: 'certificates that an issuer with keys of its own merely sends along',
    file: 'server/credentials/trust-lists/authority-keys.ts',
    find: 'if (rootsOf(issuer) === null) return false',
    replace: '',
    tests: [`${SUITES}/authorities.test.ts`],
  },

  inQuery('a credential of another type', '!meta.vct_values.includes(presented.vct)', 'presented.vct.length === 0'),
  inQuery('two credentials where one is asked for', 'count > 1 && wanted.multiple !== true', 'count < 0'),
  inQuery(
    'an answer to a query that was not sent',
    "if (wanted === undefined) return 'The answer names a credential query that was not sent'",
    'if (wanted === undefined) continue',
  ),
  inQuery('an answer that lacks a claim', 'claims.every((claim)', 'claims.some((claim)'),
  inQuery('an answer to half of the query', 'isComplete(query, counts) ?', 'counts.size > 0 ?'),

  inAnswer('a compressed response', `${PROTOCOL}/request-object.ts`, [
    "ensure(!Object.hasOwn(header, 'zip'),",
    'ensure(true,',
  ]),
  inAnswer('a response to another kid', `${PROTOCOL}/request-object.ts`, [
    "header['kid'] === key.kid",
    "header['kid'] !== undefined",
  ]),
  inAnswer('a response with another state', RESPONSE, [
    "parameters['state'] !== state",
    "parameters['state'] === undefined",
  ]),
  inAnswer('a second response', RESPONSE, [
    'if (!(await consumeRequest(platform.db, id, now))) throw buildNotFoundError()',
    'await consumeRequest(platform.db, id, now)',
  ]),
  inAnswer('a response in clear where it must be encrypted', RESPONSE, [
    "throw new ProtocolError('malformed', 'The response must be encrypted')",
    'return { ...sent }',
  ]),
  inAnswer('a nonce of another request', RESPONSE, ['    nonce,\n    jkt,', '    nonce: null,\n    jkt,']),
  inAnswer('an answer that is not what the query asks for', RESPONSE, [
    'if (mismatch !== null) throw',
    'if (mismatch === undefined) throw',
  ]),
]
