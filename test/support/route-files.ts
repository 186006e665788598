import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { AnyOperation } from '@/server/base/contract/endpoint'
import type { Lane } from '@/server/transport/http'

type RouteModule = Readonly<Record<string, (request: Request) => Promise<Response>>>

/** Serves the same service through the route files of Next: each request goes to the handlers of its path's file. */
export function throughRouteFiles(operations: readonly AnyOperation[], guard: Lane): Lane {
  return {
    async handle(request, response) {
      if (await guard.handle(request, response)) return true
      const target = (request.url ?? '/').split('?')[0] ?? '/'
      const operation = operations.find(({ endpoint }) => fits(endpoint.path, target))
      const file =
        operation === undefined ? '[...unknown]' : operation.endpoint.path.slice(1).replaceAll(/\{(\w+)\}/g, '[$1]')
      const module = (await import(path.resolve('app', file, 'route.ts'))) as RouteModule
      await answer(module, request, response)
      return true
    },
  }
}

/** Returns whether a path matches that of a contract, whose segments in braces match anything. */
export function fits(template: string, target: string): boolean {
  const wanted = template.split('/')
  const given = target.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith('{') || segment === given[index])
  )
}

async function answer(module: RouteModule, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const handler = module[incoming.method ?? 'GET']
  if (handler === undefined) throw new Error(`no handler for ${incoming.method}`)
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD' && chunks.length > 0
  const request = new Request(`http://localhost${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  })
  const response = await handler(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(incoming.method === 'HEAD' ? undefined : Buffer.from(await response.arrayBuffer()))
}
