import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { PermanentFailure } from '../../core/permanent-failure'
import type { Message } from '../../core/platform'
import { createSmtpMailer } from './smtp'

let server: Server
afterEach(() => server.close())

/** Lines that the mail server refuses for good, for now, or does not answer. */
interface Behaviour {
  readonly refused?: readonly string[]
  readonly busy?: readonly string[]
  readonly silent?: readonly string[]
}

/** Starts a mail server that records the lines that it receives and behaves as given. */
async function startServer(behaviour: Behaviour = {}): Promise<{ url: string; said: string[] }> {
  const said: string[] = []
  server = createServer((socket) => converse(socket, said, behaviour))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, said }
}

function converse(socket: Socket, said: string[], { refused = [], busy = [], silent = [] }: Behaviour): void {
  let inData = false
  let rest = ''
  const answer = (line: string): string => {
    if (inData) {
      inData = line !== '.'
      return inData ? '' : '250 kept'
    }
    if (silent.includes(line)) return ''
    if (line.startsWith('EHLO') && refused.includes('AUTH')) return '250-ok\r\n250 AUTH PLAIN'
    inData = line === 'DATA'
    if (inData) return '354 go on'
    if (busy.some((name) => line.includes(name))) return '450 try later'
    return refused.some((name) => line.includes(name)) ? '550 no such person' : '250 ok'
  }
  if (!silent.includes('connection')) socket.write('220 ready\r\n')
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
  test('the SMTP mailer delivers one message to one person', async () => {
    const { url, said } = await startServer()
    await createSmtpMailer(url, 'Countersign <no-reply@example.com>').deliver(message)
    expect(said).toContain('MAIL FROM:<no-reply@example.com>')
    expect(said.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.com>'])
    expect(said).toContain('Subject: Please decide')
    expect(said).toContain('Message-ID: <m1@countersign>')
    expect(said).toContain('An agent asks.')
  })

  test('D55 data that a person asked for travels as a file named after the request', async () => {
    const { url, said } = await startServer()
    const data = { request_id: 'r1', dump: { profile: { email: 'ada@example.com' } } }
    await createSmtpMailer(url, 'no-reply@example.com').deliver({ ...message, data })
    const text = said.join('\n')
    expect(text).toMatch(/Content-Disposition: attachment; filename=countersign-data-r1\.json/)
    expect(text).toContain('Content-Type: application/json; name=countersign-data-r1.json')
    const [, encoded = ''] = text.split(/filename=countersign-data-r1\.json\n(?:.+\n)*\n/)
    const file = encoded.split('\n--')[0] ?? ''
    const content = /^[\w+/=\s]+$/.test(file) ? Buffer.from(file, 'base64').toString() : file
    expect(JSON.parse(content)).toEqual(data.dump)
  })

  test('an address can be neither a list nor a header', async () => {
    const { url, said } = await startServer()
    const mailer = createSmtpMailer(url, 'no-reply@example.com')
    for (const to of [
      'a@example.com,b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'x <a@example.com>, b@example.com',
    ]) {
      await mailer.deliver({ ...message, to, subject: 'Hi\r\nBcc: c@example.com' })
    }
    expect(said.filter((line) => line === 'DATA')).toHaveLength(3)
    expect(said.filter((line) => line === 'Subject: Hi Bcc: c@example.com')).toHaveLength(3)
    expect(said.filter((line) => line.startsWith('RCPT'))).toHaveLength(3)
    expect(said.filter((line) => /^RCPT TO:<?[bc]@/.test(line))).toEqual([])
    expect(said.filter((line) => /^Bcc:/i.test(line))).toEqual([])
  })

  test('a person whom the carrier refuses for good is a permanent failure', async () => {
    const { url } = await startServer({ refused: ['ada@'] })
    const delivery = createSmtpMailer(url, 'no-reply@example.com').deliver(message)
    await expect(delivery).rejects.toThrow('no such person')
    await expect(delivery).rejects.toBeInstanceOf(PermanentFailure)
  })

  test.each<[string, Behaviour, string | RegExp]>([
    ['is busy', { busy: ['ada@'] }, 'try later'],
    ['takes no log-in', { refused: ['AUTH'] }, 'no such person'],
    ['is slow to take the message', { silent: ['DATA'] }, 'Timeout'],
    ['is slow to greet', { silent: ['connection'] }, /Timeout|Greeting/],
  ])('a carrier that %s may be tried again', async (_name, behaviour, words) => {
    const { url } = await startServer(behaviour)
    const address = behaviour.refused === undefined ? url : url.replace('//', '//user:password@')
    const delivery = createSmtpMailer(address, 'no-reply@example.com', 200).deliver(message)
    await expect(delivery).rejects.toThrow(words)
    await expect(delivery).rejects.not.toBeInstanceOf(PermanentFailure)
  })

  test('a carrier that is not there may be tried again', async () => {
    const delivery = createSmtpMailer('smtp://127.0.0.1:1', 'no-reply@example.com').deliver(message)
    await expect(delivery).rejects.toThrow('ECONNREFUSED')
    await expect(delivery).rejects.not.toBeInstanceOf(PermanentFailure)
  })

  test('a message that is sent again has the same Message-ID', async () => {
    const { url, said } = await startServer()
    const mailer = createSmtpMailer(url, 'no-reply@example.com')
    await mailer.deliver(message)
    await mailer.deliver(message)
    expect(said.filter((line) => line.startsWith('Message-ID:'))).toEqual([
      'Message-ID: <m1@countersign>',
      'Message-ID: <m1@countersign>',
    ])
  })
})
