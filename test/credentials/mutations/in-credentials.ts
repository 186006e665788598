import type { Mutation } from './mutation'

const PROTOCOL = 'server/base/protocol'

const inPresentation = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/presentation.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/presentation.test.ts`, `${PROTOCOL}/presentation-binding.test.ts`],
})

const inSdJwt = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/sd-jwt.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/sd-jwt.test.ts`, `${PROTOCOL}/presentation.test.ts`],
})

const inKeyBinding = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/key-binding.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/key-binding.test.ts`, `${PROTOCOL}/presentation-binding.test.ts`],
})

const inProof = (name: string, find: string, replace: string): Mutation => ({
  name,
  file: `${PROTOCOL}/credential-proof.ts`,
  find,
  replace,
  tests: [`${PROTOCOL}/credential-proof.test.ts`],
})

/** Checks of what a wallet presents or proves. */
export const mutationsOfCredentials: readonly Mutation[] = [
  inPresentation('an attestation of any typ', 'header.typ === ATTESTATION_TYPE', 'header.typ !== undefined'),
  inPresentation('an attestation whose signature does not verify', 'await verifyJws(attestation, {', 'void ({'),
  inPresentation('a holder key that was disclosed', "'exp', 'cnf',", "'exp',"),
  inPresentation('a status that was disclosed', "'aka_vcts', 'status'", "'aka_vcts'"),
  inPresentation('an attestation a minute after its end', 'exp > now,', 'exp > now - 60,'),
  inPresentation('an attestation before its time', 'nbf <= now + CLOCK_SKEW_SECONDS', 'nbf > 0'),
  inPresentation(
    'a status that cannot be read',
    "ensure(isJsonObject(list), 'malformed'",
    "if (!isJsonObject(list)) return null\n  ensure(true, 'malformed'",
  ),
  inPresentation('the key of another holder', 'binding.jkt === holderJkt', 'holderJkt.length > 0'),
  inPresentation(
    'a key binding with an algorithm that the issuer may not use',
    'algorithms,\n    isAudience',
    'algorithms: CLIENT_ALGORITHMS,\n    isAudience',
  ),
  inPresentation(
    'a presentation without key binding',
    "ensure(jws !== null, 'holder",
    "if (jws === null) return { holderJkt: '', keyBinding: { nonce: '', audience: '', iat: 0 }, transactionDataHashes: null }\n  ensure(true, 'holder",
  ),
  inPresentation('a key binding without hashes of the transaction data', 'ensure(sent === undefined,', 'ensure(true,'),
  inPresentation('hashes of other transaction data', 'ensure(isSame,', 'ensure(hashes.length === sent.length,'),

  inSdJwt('a disclosure that no digest refers to', 'ensure(pending.size === 0,', 'ensure(true,'),
  inSdJwt('a digest that occurs twice', 'ensure(!seen.has(digest),', 'ensure(true,'),
  inSdJwt('a disclosure that occurs twice', 'ensure(disclosures.size === texts.length,', 'ensure(true,'),
  inSdJwt('a disclosure that overrides a claim', 'ensure(!Object.hasOwn(result, name),', 'ensure(true,'),
  inSdJwt(
    'a disclosure that brings a claim that must be plain',
    '!(isTopLevel && processing.plainOnly.includes(name))',
    'depthLeft > 0',
  ),
  inSdJwt('a claim that must be plain and is hidden in part', 'ensure(isPlain,', 'ensure(true,'),
  inSdJwt('a disclosure with a reserved name', 'name !== null && !RESERVED_NAMES.includes(name)', 'name !== null'),
  inSdJwt('digests of another algorithm', "hashAlgorithm === 'sha-256'", "typeof hashAlgorithm === 'string'"),

  inKeyBinding('a key binding of any typ', "hasType(jws.header, 'kb+jwt')", 'jws.header.alg.length > 0'),
  inKeyBinding('a key binding whose signature does not verify', 'await verifyJws(jws, {', 'void ({'),
  inKeyBinding('an old key binding', 'iat >= now - KEY_BINDING_MAX_AGE_SECONDS && ', ''),
  inKeyBinding('a key binding from the future', ' && iat <= now + CLOCK_SKEW_SECONDS', ''),
  inKeyBinding(
    'a list of audiences',
    "typeof aud === 'string' && rules.isAudience(aud)",
    'rules.isAudience(String(aud))',
  ),
  inKeyBinding('a key binding for another verifier', 'ensure(isForUs,', 'ensure(isForUs || aud !== undefined,'),
  inKeyBinding('a nonce that was not given out', ' && rules.isNonceValid(nonce)', ''),
  inKeyBinding('a key binding for other disclosures', 'ensure(isBound,', 'ensure(isBound || true,'),

  inProof('a proof of any typ', "hasType(jws.header, 'openid4vci-proof+jwt')", 'jws.header.alg.length > 0'),
  inProof('a proof for another issuer', 'URI_MAX_CHARS) === issuer,', 'URI_MAX_CHARS).length > 0,'),
  inProof('a proof with a nonce that was not given out', ' && isNonceValid(nonce)', ''),
  inProof('a proof that names its key twice', 'ensure(!isNamedOtherwise,', 'ensure(true,'),
  inProof('a proof that names a client', "ensure(!Object.hasOwn(claims, 'iss'),", 'ensure(true,'),
  inProof('an old proof', 'iat >= now - CREDENTIAL_PROOF_MAX_AGE_SECONDS && ', ''),
]
