import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponse,
  PasskeyCreation,
  PasskeyRequest,
  RegistrationResponse,
} from '@/server/identity/passkeys/contract'

export type KeyKind = 'ES256' | 'EdDSA'

/** The false values that a dishonest or broken client sends. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  /** False when the person was present but not verified. */
  readonly userVerified?: boolean
  /** The reported signature counter; without it the counter increases by one each time. */
  readonly counter?: number
  readonly challenge?: string
  /** The credential to sign with although it was not requested. */
  readonly credentialId?: string
  readonly userHandle?: string
}

interface Credential {
  readonly id: Buffer
  readonly userHandle: string
  readonly privateKey: KeyObject
  readonly kind: KeyKind
  counter: number
}

export interface SoftwareAuthenticator {
  /** The ids of its credentials, oldest first. */
  readonly credentialIds: readonly string[]
  /** Creates a credential, as `navigator.credentials.create` does. */
  create(options: PasskeyCreation, lies?: Lies): RegistrationResponse
  /** Signs a challenge, as `navigator.credentials.get` does. Throws when it has none of the requested credentials. */
  get(options: PasskeyRequest, lies?: Lies): AuthenticationResponse
}

interface AuthenticatorOptions {
  readonly rpId: string
  readonly origin: string
  readonly kind?: KeyKind
  /** Whether there is a signature counter; synced passkeys report none, so it stays 0. */
  readonly counts?: boolean
}

/** Creates a browser and its authenticator in software, for one relying party (WebAuthn sections 6.1, 6.5 and 8.7). */
export function createAuthenticator({
  rpId,
  origin,
  kind = 'ES256',
  counts = true,
}: AuthenticatorOptions): SoftwareAuthenticator {
  const credentials: Credential[] = []

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const count = (credential: Credential, lies: Lies) => {
    if (counts) credential.counter += 1
    return lies.counter ?? credential.counter
  }

  return {
    get credentialIds() {
      return credentials.map(({ id }) => id.toString('base64url'))
    },
    create(options, lies = {}) {
      const excluded = options.excludeCredentials.some(({ id }) => this.credentialIds.includes(id))
      if (excluded) throw new Error('InvalidStateError: this authenticator holds a passkey of the person already')
      const { publicKey, privateKey } = newKeyPair(kind)
      const credential = { id: randomBytes(32), userHandle: options.user.id, privateKey, kind, counter: 0 }
      credentials.push(credential)
      const attested = [Buffer.alloc(16), uint16(credential.id.length), credential.id, coseKey(publicKey, kind)]
      const authData = authenticatorData({
        rpId: lies.rpId ?? rpId,
        userVerified: lies.userVerified ?? true,
        counter: count(credential, lies),
        attested: Buffer.concat(attested),
      })
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      const id = credential.id.toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, lies).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      }
    },
    get(options, lies = {}) {
      const asked = options.allowCredentials.map(({ id }) => id)
      const wanted = lies.credentialId === undefined ? asked : [lies.credentialId]
      const credential = credentials.find(({ id }) => wanted.length === 0 || wanted.includes(id.toString('base64url')))
      if (credential === undefined) throw new Error('NotAllowedError: this authenticator holds no such passkey')
      const data = authenticatorData({
        rpId: lies.rpId ?? rpId,
        userVerified: lies.userVerified ?? true,
        counter: count(credential, lies),
      })
      const client = clientData('webauthn.get', options.challenge, lies)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const signature = sign(credential.kind === 'ES256' ? 'sha256' : null, signed, credential.privateKey)
      const id = credential.id.toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: lies.userHandle ?? credential.userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}

function newKeyPair(kind: KeyKind) {
  return kind === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

interface AuthenticatorData {
  readonly rpId: string
  readonly userVerified: boolean
  readonly counter: number
  readonly attested?: Buffer
}

/** Returns the authenticator data (WebAuthn section 6.1). */
function authenticatorData({ rpId, userVerified, counter, attested }: AuthenticatorData): Buffer {
  const flags = PRESENT | (userVerified ? VERIFIED : 0) | (attested === undefined ? 0 : ATTESTED)
  const signCount = Buffer.alloc(4)
  signCount.writeUInt32BE(counter)
  const rpIdHash = createHash('sha256').update(rpId).digest()
  return Buffer.concat([rpIdHash, Buffer.of(flags), signCount, attested ?? Buffer.alloc(0)])
}

/** Returns the COSE key (RFC 9053 section 7): EC2 keys with both coordinates, OKP keys with one. */
function coseKey(key: KeyObject, kind: KeyKind): Buffer {
  const { x, y } = key.export({ format: 'jwk' }) as JsonWebKey
  const coordinate = (text: string | undefined) => cborBytes(Buffer.from(text ?? '', 'base64url'))
  if (kind === 'EdDSA') {
    return cborMap([
      [cborInt(1), cborInt(1)],
      [cborInt(3), cborInt(-8)],
      [cborInt(-1), cborInt(6)],
      [cborInt(-2), coordinate(x)],
    ])
  }
  return cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), coordinate(x)],
    [cborInt(-3), coordinate(y)],
  ])
}

/** Returns the head of a data item: major type and argument (RFC 8949 section 3). */
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((major << 5) | argument)
  if (argument < 256) return Buffer.of((major << 5) | 24, argument)
  return Buffer.concat([Buffer.of((major << 5) | 25), uint16(argument)])
}

const cborInt = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()])

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
