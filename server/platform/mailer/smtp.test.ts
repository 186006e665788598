import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '@/server/core/platform'
import { createSmtpMailer } from './smtp'

let server: Server
afterEach(() => server.close())

/** A mail server that keeps what it is told and refuses the recipients it is asked to. */
async function startServer(refused: readonly string[] = []): Promise<{ url: string; said: string[] }> {
  const said: string[] = []
  server = createServer((socket) => converse(socket, said, refused))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, said }
}

function converse(socket: Socket, said: string[], refused: readonly string[]): void {
  let inData = false
  let rest = ''
  const answer = (line: string): string => {
    if (inData) {
      inData = line !== '.'
      return inData ? '' : '250 kept'
    }
    inData = line === 'DATA'
    if (inData) return '354 go on'
    return refused.some((name) => line.includes(name)) ? '550 no such person' : '250 ok'
  }
  socket.write('220 ready\r\n')
  socket.on('data', (data) => {
    const lines = (rest + data).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      said.push(line)
      const reply = answer(line)
      if (reply) socket.write(`${reply}\r\n`)
    }
  })
  socket.on('error', () => undefined)
}

const message: Message = {
  id: 'm1',
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Please decide',
  text: 'An agent asks.',
  links: [],
  data: null,
}

describe('smtp mailer', () => {
  test('delivers one message to one person', async () => {
    const { url, said } = await startServer()
    await createSmtpMailer(url, 'Countersign <no-reply@example.com>').deliver(message)
    expect(said).toContain('MAIL FROM:<no-reply@example.com>')
    expect(said.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.com>'])
    expect(said).toContain('Subject: Please decide')
    expect(said).toContain('Message-ID: <m1@countersign>')
    expect(said).toContain('An agent asks.')
  })

  test('an address can be neither a list nor a header', async () => {
    const { url, said } = await startServer()
    const mailer = createSmtpMailer(url, 'no-reply@example.com')
    for (const to of [
      'a@example.com,b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'x <a@example.com>, b@example.com',
    ]) {
      await mailer.deliver({ ...message, to, subject: 'Hi\r\nBcc: c@example.com' }).catch(() => undefined)
    }
    expect(said.filter((line) => /^RCPT TO:<?[bc]@/.test(line))).toEqual([])
    expect(said.filter((line) => /^Bcc:/i.test(line))).toEqual([])
    expect(said.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(3)
  })

  test('fails when the carrier refuses or is not there', async () => {
    const { url } = await startServer(['ada@'])
    await expect(createSmtpMailer(url, 'no-reply@example.com').deliver(message)).rejects.toThrow('no such person')
    await expect(createSmtpMailer('smtp://127.0.0.1:1', 'no-reply@example.com').deliver(message)).rejects.toThrow(
      'ECONNREFUSED',
    )
  })

  test('leaves other channels to the messages table', async () => {
    const { url, said } = await startServer()
    await createSmtpMailer(url, 'no-reply@example.com').deliver({ ...message, channel: 'rcs' })
    expect(said).toEqual([])
  })
})
