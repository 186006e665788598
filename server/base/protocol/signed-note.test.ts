import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openNote, readTreeHead, signNote, writeTreeHead } from './signed-note'

/** The example of golang.org/x/mod/sumdb/note, from which the C2SP format was taken. */
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const NOTE = `${TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`
const NAME = 'PeterNeumann'
/** The example's key in the form of other tools: `<name>+<hex key id>+<base64 of type and key>`. */
const KEY_TEXT = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), SEED])
const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
const key = createPublicKey(privateKey)
const stranger = generateKeyPairSync('ed25519')

/** Returns the key's text, with the key id at the start of the example's signature. */
function noteKeyText(): string {
  const id = Buffer.from(NOTE.trimEnd().split(' ').at(-1) ?? '', 'base64').subarray(0, 4)
  const raw = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  return `${NAME}+${id.toString('hex')}+${Buffer.concat([Buffer.from([1]), raw]).toString('base64')}`
}

describe('signed notes', () => {
  test('the example is signed byte for byte with the published key, and opened', () => {
    expect(signNote(TEXT, NAME, { privateKey })).toBe(NOTE)
    expect(openNote(NOTE, [{ name: NAME, key }])).toBe(TEXT)
    expect(noteKeyText()).toBe(KEY_TEXT)
  })

  test('signatures of unknown keys are passed over', () => {
    const theirs = signNote(TEXT, 'witness.example', stranger).split('\n\n')[1] ?? ''
    expect(openNote(NOTE + theirs, [{ name: NAME, key }])).toBe(TEXT)
  })

  test.each([
    ['another text', NOTE.replace('answer', 'Answer'), 'not signed by a known key'],
    ['a signature by nobody known', signNote(TEXT, 'witness.example', stranger), 'not signed by a known key'],
    ['the name of another', NOTE.replace('PeterNeumann', 'Peter'), 'not signed by a known key'],
    [
      'a second, wrong signature of the same key',
      `${NOTE}${(NOTE.split('\n\n')[1] ?? '').replace('nAM=', 'nAA=')}`,
      'not signed',
    ],
    ['a hyphen', NOTE.replace('—', '-'), 'malformed'],
    ['no signature', TEXT, 'no signed note'],
    ['no last newline', NOTE.trimEnd(), 'no signed note'],
    ['a signature without key id', `${TEXT}\n— ${NAME} AAAA\n`, 'malformed'],
    ['a novel', `${TEXT.repeat(200)}${NOTE}`, 'no signed note'],
  ])('%s is refused', (_name, note, reason) => {
    expect(() => openNote(note, [{ name: NAME, key }])).toThrow(reason)
  })
})

describe('tree heads', () => {
  /** The example of c2sp.org/tlog-checkpoint. */
  const EXAMPLE = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'

  test('the example is read and written', () => {
    const head = readTreeHead(EXAMPLE)
    expect(head).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 })
    expect(writeTreeHead(head)).toBe(EXAMPLE)
    expect(readTreeHead(`${EXAMPLE}an extension\n`)).toEqual(head)
  })

  test.each([
    ['no origin', EXAMPLE.slice('example.com/behind-the-sofa'.length)],
    ['a size with a leading zero', EXAMPLE.replace('208', '0208')],
    ['a size beyond what is counted', EXAMPLE.replace('20852163', '9007199254740993')],
    ['a short root', EXAMPLE.replace('CsUY', '')],
    ['a root in base64url', EXAMPLE.replace('/Xajj', '_Xajj')],
    ['nothing', ''],
  ])('%s is refused', (_name, text) => {
    expect(() => readTreeHead(text)).toThrow('no checkpoint')
  })
})
