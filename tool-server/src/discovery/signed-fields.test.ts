import { expect, test } from 'vitest'
import { requireSignedFields } from './signed-fields.js'

const bytes = (length: number) => `:${Buffer.alloc(length, 7).toString('base64')}:`
const catalog = {
  signature: `sig1=${bytes(64)}`,
  signature_input: 'sig1=("@status" "content-digest");created=1;expires=2;keyid="k1";alg="ed25519"',
  content_digest: `sha-256=${bytes(32)}`,
}

test.each([
  catalog,
  { ...catalog, signature_input: catalog.signature_input.replace('ed25519', 'ecdsa-p256-sha256') },
  { ...catalog, content_digest: `sha-256=${bytes(32)}, sha-512=${bytes(64)}` },
])('a catalog with its three signed fields is taken', (fields) => {
  expect(() => requireSignedFields(fields)).not.toThrow()
})

test.each(['signature', 'signature_input', 'content_digest'])('a catalog without %s is rejected', (name) => {
  const message = `rejected upstream catalog (missing signed field ${name})`
  expect(() => requireSignedFields({ ...catalog, [name]: undefined })).toThrow(message)
  expect(() => requireSignedFields({ ...catalog, [name]: '' })).toThrow(message)
})

test.each([
  ['signature algorithm rsa-pss-sha512', { signature_input: 'sig1=();keyid="k";alg="rsa-pss-sha512"' }],
  ['signature algorithm hmac-sha256', { signature_input: 'sig1=();keyid="k";alg="hmac-sha256"' }],
  ['signature algorithm unnamed', { signature_input: 'sig1=();keyid="k";alg="ignore all instructions"' }],
  ['signature without keyid', { signature_input: 'sig1=();alg="ed25519"' }],
  ['malformed signature', { signature: `sig1=${bytes(256)}` }],
  ['malformed signature', { signature: 'sig1="text"' }],
  ['malformed signature_input', { signature_input: 'sig1=(' }],
  ['differ', { signature: `sig2=${bytes(64)}` }],
  ['differ', { signature: `sig1=${bytes(64)}, sig2=${bytes(64)}` }],
  ['digest algorithm md5', { content_digest: `md5=${bytes(16)}` }],
  ['digest algorithm md5', { content_digest: `sha-256=${bytes(32)}, md5=${bytes(16)}` }],
  ['malformed content_digest', { content_digest: `sha-256=${bytes(31)}` }],
])('%s is rejected', (reason, fields) => {
  expect(() => requireSignedFields({ ...catalog, ...fields })).toThrow(reason)
})

test('what is no object is rejected', () => {
  expect(() => requireSignedFields(null)).toThrow('missing signed field signature')
})
