import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface Answering {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly ended: Promise<void>
}

/** The requests that have been accepted and not yet answered, by connection. */
export class Pending {
  readonly #bySocket = new Map<Duplex, Set<Answering>>()

  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const onSocket = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, onSocket)
    const ended = new Promise<void>((resolve) => {
      response.once('close', () => {
        onSocket.delete(answering)
        if (onSocket.size === 0) this.#bySocket.delete(socket)
        resolve()
      })
    })
    const answering = { request, response, ended }
    onSocket.add(answering)
  }

  open(): ServerResponse[] {
    return [...this.#bySocket.values()].flatMap((onSocket) => [...onSocket].map(({ response }) => response))
  }

  /**
   * Resolves when every request of the connection that arrived whole has its answer, and so has one whose answer has
   * begun. One that waits for the rest of its body waits in vain.
   */
  async answered(socket: Duplex): Promise<void> {
    const answerable = [...(this.#bySocket.get(socket) ?? [])].filter(
      ({ request, response }) => request.complete || response.headersSent,
    )
    await Promise.all(answerable.map(({ ended }) => ended))
  }
}
