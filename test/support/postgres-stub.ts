import { createServer, type Server, type Socket } from 'node:net'

/** The stub's behaviour: it answers every statement without rows, or refuses clients with this SQLSTATE. */
export type Manner = 'answers' | { readonly refusesWith: string }

export interface PostgresStub {
  /** Closes the listener and every connection, as a server that stops does. */
  stop(): Promise<void>
}

/**
 * Starts as much of a PostgreSQL server as a client needs to find one, or to be refused by it.
 * @see {@link https://www.postgresql.org/docs/current/protocol-message-formats.html}
 */
export async function startPostgresStub(port: number, manner: Manner = 'answers'): Promise<PostgresStub> {
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    let received = Buffer.alloc(0)
    let isStarted = false
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      for (;;) {
        const head = isStarted ? 1 : 0
        const length = received.length < head + 4 ? null : head + received.readInt32BE(head)
        if (length === null || received.length < length) return
        const type = isStarted ? String.fromCharCode(received[0] ?? 0) : 'startup'
        received = received.subarray(length)
        isStarted = true
        answer(socket, type, manner)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

const ready = message('Z', Buffer.from('I'))

function answer(socket: Socket, type: string, manner: Manner): void {
  if (type === 'startup' && manner !== 'answers') {
    const fields = ['SFATAL', 'VFATAL', `C${manner.refusesWith}`, 'Mrefused', '']
    socket.end(message('E', Buffer.from(fields.map((field) => `${field}\0`).join(''))))
  }
  if (type === 'startup' && manner === 'answers') socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
  if (type === 'Q') socket.write(Buffer.concat([message('C', Buffer.from('SET\0')), ready]))
  if (type === 'S') {
    const parsed = ['1', '2', 'n'].map((one) => message(one, Buffer.alloc(0)))
    socket.write(Buffer.concat([...parsed, message('C', Buffer.from('SELECT 0\0')), ready]))
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
