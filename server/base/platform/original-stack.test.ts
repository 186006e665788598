import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { originalStack } from './original-stack'

let root: string
let chunks: string
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'countersign-map-'))
  chunks = path.join(root, '.next', 'server', 'chunks')
  await mkdir(chunks, { recursive: true })
  // The first column of the chunk comes from line 3, column 5 of the second source.
  const map = { version: 3, sources: ['turbopack:///runtime.js', '../../../server/%5Bid%5D.ts'], names: [] }
  await writeFile(path.join(chunks, '[root] (a).js.map'), JSON.stringify({ ...map, mappings: 'ACEI' }))
  await writeFile(path.join(chunks, 'runtime.js.map'), JSON.stringify({ ...map, mappings: 'AAAA' }))
  await writeFile(path.join(chunks, 'broken.js.map'), '{')
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('a stack trace', () => {
  test.each([
    ['a function', (file: string) => `    at e (${file}:1:1)`, '    at e (server/[id].ts:3:5)'],
    ['no function', (file: string) => `    at ${file}:1:9`, '    at server/[id].ts:3:5'],
    ['an awaited function', (file: string) => `    at async e (${file}:1:1)`, '    at async e (server/[id].ts:3:5)'],
    ['no function that is awaited', (file: string) => `    at async ${file}:1:1`, '    at async server/[id].ts:3:5'],
    [
      'an alias',
      (file: string) => `    at Object.a [as b] (${file}:1:1)`,
      '    at Object.a [as b] (server/[id].ts:3:5)',
    ],
  ])('a stack trace names the source of a frame with %s', (_name, frame, expected) => {
    expect(originalStack(`Error: x\n${frame(path.join(chunks, '[root] (a).js'))}`)).toBe(`Error: x\n${expected}`)
  })

  test.each(['runtime.js', 'broken.js', 'missing.js'])(
    'a stack trace keeps a frame of %s, whose map tells no source',
    (name) => {
      const stack = `Error: x\n    at e (${path.join(chunks, name)}:1:1)\n    at node:internal/process:1:1`
      expect(originalStack(stack)).toBe(stack)
    },
  )

  test('a stack trace stays as it is where nothing was bundled', () => {
    const stack = 'Error: x\n    at e (/srv/server/boot.ts:1:1)'
    expect(originalStack(stack)).toBe(stack)
  })
})
