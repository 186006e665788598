import { AsyncLocalStorage } from 'node:async_hooks'
import Module, { createRequire } from 'node:module'
import { NextRequest } from 'next/server'

/**
 * Provides `next/headers` outside of a running Next.js, since the sign-in library reads headers and cookies from it.
 * The library requires the module as CommonJS when it is called, so this one replaces it in the cache of `require`.
 */
const current = new AsyncLocalStorage<NextRequest>()
const require = createRequire(import.meta.url)
const file = require.resolve('next/headers')
const substitute = new Module(file)
substitute.loaded = true
substitute.exports = {
  headers: () => Promise.resolve(getRequest().headers),
  cookies: () => Promise.resolve(getRequest().cookies),
}
require.cache[file] = substitute

function getRequest(): NextRequest {
  const request = current.getStore()
  if (request === undefined) throw new Error('next/headers was called outside of a request')
  return request
}

/** Runs a route handler as Next.js does: until it has answered, `next/headers` returns those of this request. */
export function handleRequest(request: Request, handler: (request: Request) => Promise<Response>): Promise<Response> {
  return current.run(new NextRequest(request.url, { headers: request.headers }), () => handler(request))
}
