import { createHash, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { OperatorClient } from '../operator-client'
import type { Holder } from './holder'

/** The test issuer. Nothing is fetched from it, since the trust list contains its key. */
const ISSUER = 'https://pid-issuer.example'
const VCT = 'urn:eudi:pid:1'
const KEY_ID = 'test-pid-issuer'
const LIFETIME = '30d'

const PERSON = { given_name: 'Ada', family_name: 'Lovelace', birthdate: '1985-12-10', nationalities: ['IE'] }
const AGES = { 18: true, 21: true, 65: false }

interface TrustLists {
  readonly trust_lists: readonly { readonly region: string; readonly issuers: readonly { readonly issuer: string }[] }[]
}

/** Issues a PID of the test issuer to the holder, and adds the issuer to the region's trust list on the server. */
export async function issuePid(holder: Holder, operator: OperatorClient, region: string): Promise<string> {
  const { trust_lists: lists } = (await operator.request('GET', '/trust-lists')) as TrustLists
  const others = (lists.find((list) => list.region === region)?.issuers ?? []).filter(({ issuer }) => issuer !== ISSUER)
  const keys = [{ ...holder.issuerKey.publicJwk, kid: KEY_ID }]
  const ours = { issuer: ISSUER, algs: ['EdDSA'], vct_values: [VCT], jwks: { keys } }
  await operator.request('PUT', `/trust-lists/${region}`, { issuers: [...others, ours] })
  const credential = await signPid(holder)
  holder.add(credential)
  return credential
}

async function signPid({ key, issuerKey }: Holder): Promise<string> {
  const disclose = (name: string, value: unknown) =>
    Buffer.from(JSON.stringify([randomBytes(16).toString('base64url'), name, value])).toString('base64url')
  const digestOf = (disclosure: string) => createHash('sha256').update(disclosure).digest('base64url')
  const person = Object.entries(PERSON).map(([name, value]) => disclose(name, value))
  const ages = Object.entries(AGES).map(([age, reached]) => disclose(age, reached))
  const jwt = await new SignJWT({
    vct: VCT,
    cnf: { jwk: key.publicJwk },
    _sd: person.map(digestOf).toSorted(),
    _sd_alg: 'sha-256',
    age_equal_or_over: { _sd: ages.map(digestOf).toSorted() },
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: KEY_ID })
    .setIssuer(ISSUER)
    .setIssuedAt()
    .setExpirationTime(LIFETIME)
    .sign(issuerKey.privateKey)
  return `${[jwt, ...person, ...ages].join('~')}~`
}
