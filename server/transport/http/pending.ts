import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The answers to requests that have been accepted, until they are over, by connection. Each connection has one list for as
 * long as it lasts: a Map that grows and shrinks with every request leaves copies of itself to the garbage collector,
 * which keep what they held in memory for long.
 */
export class Pending {
  readonly #bySocket = new Map<Duplex, ServerResponse[]>()

  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const onSocket = this.#bySocket.get(socket) ?? this.#begin(socket)
    onSocket.push(response)
    response.once('close', () => void onSocket.splice(onSocket.indexOf(response), 1))
  }

  #begin(socket: Duplex): ServerResponse[] {
    const onSocket: ServerResponse[] = []
    this.#bySocket.set(socket, onSocket)
    socket.once('close', () => this.#bySocket.delete(socket))
    return onSocket
  }

  open(): ServerResponse[] {
    return [...this.#bySocket.values()].flat()
  }

  /**
   * Resolves when every request of the connection that arrived whole has its answer, and so has one whose answer has
   * begun. One that waits for the rest of its body waits in vain.
   */
  async answered(socket: Duplex): Promise<void> {
    const answerable = this.#bySocket.get(socket)?.filter(({ req, headersSent }) => req.complete || headersSent) ?? []
    // Whether it was sent or broke off: an answer that fails is over as well.
    await Promise.all(answerable.map((response) => new Promise((resolve) => response.once('close', resolve))))
  }
}
