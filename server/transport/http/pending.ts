import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * The unfinished answers by connection. Each connection has one list for its lifetime: a Map that grows and shrinks
 * with every request leaves copies of itself to the garbage collector, which keep their entries in memory for long.
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
   * Resolves when all answers are finished to requests of the connection that have arrived completely or whose answer
   * has begun. Others wait for the rest of their body, which cannot arrive any more.
   */
  async answered(socket: Duplex): Promise<void> {
    const answerable = this.#bySocket.get(socket)?.filter(({ req, headersSent }) => req.complete || headersSent) ?? []
    // Also emitted when an answer fails.
    await Promise.all(answerable.map((response) => new Promise((resolve) => response.once('close', resolve))))
  }
}
