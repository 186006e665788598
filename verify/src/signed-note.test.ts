import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { openNote } from './signed-note.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const jwk = publicKey.export({ format: 'jwk' })
const ROOT = Buffer.alloc(32, 9).toString('base64')

/** Signs a note by https://c2sp.org/signed-note, independently of the tested code. */
function noteOf(text: string, name = 'pay.example/audit/t'): string {
  const raw = Buffer.from(jwk.x ?? '', 'base64url')
  const id = createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.from([1]))
    .update(raw)
    .digest()
    .subarray(0, 4)
  return `${text}\n— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64')}\n`
}

const TEXT = `pay.example/audit/t\n17\n${ROOT}\n`

test('a note that the key signed states its tree', async () => {
  expect(await openNote(noteOf(TEXT), jwk)).toEqual({ origin: 'pay.example/audit/t', size: 17, root: ROOT })
})

test.each([
  ['another size', noteOf(TEXT).replace('\n17\n', '\n18\n')],
  ['another name', noteOf(TEXT, 'evil.example')],
  ['a size with a zero before it', noteOf(TEXT.replace('\n17\n', '\n017\n'))],
  ['an extension line', noteOf(`${TEXT}more\n`)],
  ['no signature', TEXT],
  ['something after it', `${noteOf(TEXT)}x`],
  ['nothing', ''],
])('a note with %s is refused', async (_name, note) => {
  expect(await openNote(note, jwk)).toBeNull()
})

test('a note of another key is refused', async () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  expect(await openNote(noteOf(TEXT), other)).toBeNull()
})
