import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compressBuiltFiles, createFileHandler } from './built-files.mjs'

/** Serves a build with one script. */
async function serveBuild(source: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'countersign-build-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const chunks = path.join(root, '.next/static/chunks')
  mkdirSync(chunks, { recursive: true })
  writeFileSync(path.join(chunks, 'one.js'), source)
  await compressBuiltFiles(root)
  const handle = createFileHandler(
    root,
    async (_request: unknown, response: { writeHead(status: number): { end(): void } }) => {
      response.writeHead(404).end()
    },
  )
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { root, chunks, url: `http://127.0.0.1:${port}/_next/static/chunks` }
}

test('a process goes on sending the files of its own build while another is made in their place', async () => {
  const { root, chunks, url } = await serveBuild('first()')
  rmSync(path.join(root, '.next'), { recursive: true })
  const gone = await fetch(`${url}/one.js`)
  expect([gone.status, await gone.text()]).toEqual([200, 'first()'])
  mkdirSync(chunks, { recursive: true })
  writeFileSync(path.join(chunks, 'one.js'), 'second()')
  cpSync(path.join(chunks, 'one.js'), path.join(chunks, 'two.js'))
  const replaced = await fetch(`${url}/one.js`)
  expect([replaced.status, await replaced.text()]).toEqual([200, 'first()'])
  expect((await fetch(`${url}/two.js`)).status).toBe(404)
})

test('what a browser has is known by its entity tag, weak or strong, in each encoding', async () => {
  const { url } = await serveBuild('first()'.repeat(100))
  const tags = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const { headers } = await fetch(`${url}/one.js`, { headers: { 'accept-encoding': encoding } })
      const tag = headers.get('etag') ?? ''
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await fetch(`${url}/one.js`, { headers: { 'accept-encoding': encoding, 'if-none-match': known } })
        expect([encoding, known, again.status]).toEqual([encoding, known, 304])
      }
      return tag
    }),
  )
  expect(new Set(tags).size).toBe(3)
})
