import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export const spanKinds = { server: 2, client: 3, consumer: 5 } as const

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}

/** A span as it arrived, with its attributes by name and the name of the library that made it. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly scope: string
  readonly service: string | number | undefined
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Pairs }
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string }
      readonly spans: readonly (Omit<SentSpan, 'attributes'> & { readonly attributes: Pairs })[]
    }[]
  }[]
}
type Pairs = readonly { readonly key: string; readonly value: Value }[]

export interface Collector {
  readonly url: string
  readonly spans: readonly SentSpan[]
  /** Everything that arrived, as text: headers and bodies. */
  text(): string
  close(): Promise<void>
}

/** Starts a server that keeps the traces sent to it by OTLP over HTTP, and answers with a status or, for null, never. */
export async function startCollector(status: number | null = 200): Promise<Collector> {
  const spans: SentSpan[] = []
  let all = ''
  const server = createServer((request, response) => {
    void json(request).then((sent) => {
      all += `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${JSON.stringify(sent)}\n`
      spans.push(...spansOf(sent as Exported))
      if (status !== null)
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"xq-own"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => all,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansOf({ resourceSpans }: Exported): SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: membersOf(span.attributes),
        scope: scope.name,
        service: membersOf(resource.attributes)['service.name'],
      })),
    ),
  )
}

const membersOf = (pairs: Pairs) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
