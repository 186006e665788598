import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../processes/cluster'

export type LineFaultKind = 'latency' | 'slow' | 'error_before' | 'drop_before' | 'drop_after' | 'error_after'

/** What goes wrong with one request on its way to the processor or back. */
export interface LineFault {
  readonly kind: LineFaultKind
  readonly milliseconds?: number
}

/** The line to the processor, where answers get lost and requests take their time. */
export interface ProcessorLine {
  readonly baseUrl: string
  close(): void
}

interface LineOptions {
  /** The processor, at the far end. */
  readonly upstream: string
  readonly choose: (call: { readonly method: string; readonly path: string }) => LineFault | null
}

export async function layProcessorLine({ upstream, choose }: LineOptions): Promise<ProcessorLine> {
  const far = new URL(upstream)
  const server = createServer((incoming, outgoing) => {
    carry(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const form = await readAll(incoming)
    const call = { method: incoming.method ?? 'GET', path: incoming.url ?? '/' }
    const fault = choose(call)
    if (fault !== null && beforehand.has(fault.kind)) return breakOff(fault, outgoing)
    const answer = await forward(far, incoming, form)
    if (fault?.milliseconds !== undefined) await delay(fault.milliseconds, null, { ref: false })
    if (fault !== null && afterwards.has(fault.kind)) return breakOff(fault, outgoing)
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  const baseUrl = `http://127.0.0.1:${await listen(server)}`
  return {
    baseUrl,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const beforehand: ReadonlySet<LineFaultKind> = new Set(['drop_before', 'error_before'])
const afterwards: ReadonlySet<LineFaultKind> = new Set(['drop_after', 'error_after'])

function breakOff({ kind }: LineFault, outgoing: ServerResponse): void {
  if (kind === 'drop_before' || kind === 'drop_after') return void outgoing.destroy()
  outgoing.writeHead(500, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong.' } }))
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

interface FarAnswer {
  readonly status: number
  readonly headers: string[]
  readonly body: Buffer
}

function forward(far: URL, { method, url, headers }: IncomingMessage, body: Buffer): Promise<FarAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: far.hostname, port: far.port, method, path: url, headers }, (answer) => {
      readAll(answer).then(
        (read) => resolve({ status: answer.statusCode ?? 502, headers: answer.rawHeaders, body: read }),
        reject,
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
