import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of a test's own, which answers whatever the test says. */
export interface Listener {
  readonly url: string
  /** What was asked, as `GET /path`, the oldest first. */
  readonly asked: string[]
  answer: Answering
  close(): Promise<void>
}

/** Answers a request, whose body has been read. */
export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

export async function listen(answer: Answering): Promise<Listener> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      listener.asked.push(`${request.method} ${request.url}`)
      const answering = async () => listener.answer(request, response, Buffer.concat(chunks).toString())
      answering().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return listener
}

/** Answers with JSON. */
export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
