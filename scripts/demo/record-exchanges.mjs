/**
 * Loaded into the demo's tool server before its own code: appends every HTTP exchange of the agent to the file
 * DEMO_RAW_LOG, a line of JSON each, without tokens, proofs, codes and keys.
 */
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { cutSecrets, readBody } from './cut-secrets.mjs'

const { request: open } = http
const file = process.env.DEMO_RAW_LOG ?? ''

http.request = (url, options, ...more) => {
  const outgoing = open(url, options, ...more)
  const sent = tap(outgoing, 'end')
  outgoing.prependListener('response', (response) => {
    const received = tap(response, 'push')
    response.once('close', () => {
      const { statusCode: status, headers } = response
      const request = { method: options.method, url: url.href, headers: options.headers, body: textOf(sent) }
      write({ request, response: { status, headers, body: textOf(received) } })
    })
  })
  return outgoing
}
// The tool server imports `request` by its name.
syncBuiltinESMExports()

/** Keeps what passes through a method of a stream. */
function tap(stream, method) {
  const chunks = []
  const pass = stream[method]
  stream[method] = (chunk, ...more) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    return pass.call(stream, chunk, ...more)
  }
  return chunks
}

const textOf = (chunks) => Buffer.concat(chunks).toString('utf8')

function write({ request, response }) {
  const line = {
    time: new Date().toISOString(),
    request: { ...request, body: readBody(request) },
    response: { ...response, body: readBody(response) },
  }
  appendFileSync(file, `${JSON.stringify(cutSecrets(line))}\n`)
}
