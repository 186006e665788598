/** Decision A1: requests to addresses from other parties. */
import { KeyObject } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { mint } from '@/test/support/certificates'
import vectors from '@/test/support/foreign-addresses.json'
import { OutboundFailure } from '../core/outbound-failure'
import { createOutbound } from './outbound'

const MIB = 1024 * 1024
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Starts a server on this machine and records the requests that reach it. */
async function serve(listener: RequestListener, server = createServer()) {
  const paths: string[] = []
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.on('request', (request, response) => {
    paths.push(request.url ?? '')
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, paths, countConnections: () => connections }
}

/** Returns a resolver that gives the answers in turn, the last one from then on, and counts its calls. */
function resolver(...answers: string[][]) {
  let count = 0
  const lookup: LookupFunction = (_hostname, options, callback) => {
    const found = answers[Math.min(count, answers.length - 1)] ?? []
    count += 1
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    setImmediate(() => {
      if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
  return { lookup, count: () => count }
}

const accept = 'application/json'
const strict = createOutbound({ allowLoopback: false })
const trial = createOutbound({ allowLoopback: true })
const refusalOf = async (getting: Promise<unknown>): Promise<string> => {
  const error: unknown = await getting.then(
    () => expect.fail('it was fetched'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OutboundFailure)
  return (error as OutboundFailure).message
}

/** One address at each end of every range that is no public unicast one. */
const notPublic = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.0.0
  169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 198.18.0.0
  198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.0.0.1 192.0.2.1 198.51.100.1
  203.0.113.1 :: ::1 fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1 febf::1 ff02::1 ffff::1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::7f00:1
  2001:db8::1 2002:7f00:1::1 2001::1 fec0::1`
  .trim()
  .split(/\s+/)
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

describe('A1 addresses that are not public unicast ones', () => {
  test.each(notPublic)('A1 %s is refused as it stands, and as what a name resolves to', async (address) => {
    const url = `https://${hostOf(address)}:8443/`
    expect(strict.allows(url)).toBe(false)
    expect(await refusalOf(strict.get(url, { accept }))).toBe('The address is not a public one.')
    for (const allowLoopback of [false, true]) {
      const outbound = createOutbound({ allowLoopback, lookup: resolver([address]).lookup })
      const named = outbound.get('https://issuer.example:8443/', { accept })
      expect(await refusalOf(named)).toBe('The address is not a public one.')
    }
  })

  test.each(['0x7f.0.0.1', '2130706433', '0177.0.0.1', '127.1', '%31%32%37.0.0.1', '127.0.0.1.', '[::ffff:7f00:1]'])(
    'A1 %s is the machine itself in another spelling',
    (host) => {
      expect(strict.allows(`https://${host}:8443/`)).toBe(false)
    },
  )

  test('A1 public addresses and names are allowed', () => {
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'issuer.example', '100.63.255.255', '172.32.0.1']) {
      expect([host, strict.allows(`https://${host}/`)]).toEqual([host, true])
    }
  })

  test('A1 one address that may not be dialled among those of a name is enough to refuse it', async () => {
    const server = await serve((_request, response) => response.end())
    const { lookup } = resolver(['8.8.8.8', '127.0.0.1'])
    const outbound = createOutbound({ allowLoopback: true, lookup })
    const url = `https://issuer.example:${server.port}/`
    expect(await refusalOf(outbound.get(url, { accept }))).toBe('The address is not a public one.')
    expect(server.countConnections()).toBe(0)
  })

  test('A1 the address that was checked is the address that is dialled: a name is resolved once', async () => {
    const server = await serve((_request, response) => response.end('here'))
    const rebinding = resolver(['127.0.0.1'], ['10.0.0.1'])
    const outbound = createOutbound({ allowLoopback: true, lookup: rebinding.lookup })
    const url = `http://localhost:${server.port}/`
    expect((await outbound.get(url, { accept })).body.toString()).toBe('here')
    expect(rebinding.count()).toBe(1)
    expect(await refusalOf(outbound.get(url, { accept }))).toBe('The address is not a public one.')
    expect([rebinding.count(), server.countConnections()]).toEqual([2, 1])
  })

  test('A1 a name that resolves to the machine itself is refused in a trial too', async () => {
    const server = await serve((_request, response) => response.end())
    const outbound = createOutbound({ allowLoopback: true, lookup: resolver(['127.0.0.1']).lookup })
    for (const host of ['issuer.example', 'localhost.', 'localhost.example']) {
      await refusalOf(outbound.get(`https://${host}:${server.port}/`, { accept }))
    }
    expect(server.countConnections()).toBe(0)
  })

  test('A1 a name that does not resolve is a failure like the others', async () => {
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), [])
    const getting = createOutbound({ allowLoopback: false, lookup }).get('https://issuer.example/', { accept })
    expect(await refusalOf(getting)).toBe('The server did not answer.')
    const nothing = createOutbound({ allowLoopback: false, lookup: resolver([]).lookup })
    expect(await refusalOf(nothing.get('https://issuer.example/', { accept }))).toBe('The address is not a public one.')
  })
})

describe('A1 the addresses that the tool server judges in the same way', () => {
  test('A1 of those that pass some pass everywhere, some on loopback alone', () => {
    const { everywhere, onLoopbackAlone, nowhere } = vectors
    const allowedBy = (outbound: typeof strict) =>
      [...everywhere, ...onLoopbackAlone, ...nowhere].filter((url) => outbound.allows(url))
    expect(allowedBy(strict)).toEqual(everywhere)
    expect(allowedBy(trial)).toEqual([...everywhere, ...onLoopbackAlone])
  })
})

describe('A1 the form of addresses', () => {
  test.each([
    'https://user@issuer.example/',
    'https://user:secret@issuer.example/',
    'https://@issuer.example/',
    'https://:@issuer.example/',
    'https://issuer.example/#part',
    'https://issuer.example/#',
  ])('A1 userinfo and fragments are refused: %s', async (url) => {
    expect(strict.allows(url)).toBe(false)
    expect(await refusalOf(strict.get(url, { accept }))).toBe('The address has user information or a fragment.')
  })

  test('A1 an at sign behind the host is no userinfo', () => {
    expect(strict.allows('https://issuer.example/@tenant?at=@')).toBe(true)
  })

  test.each([0, 1, 22, 80, 442, 444, 1023])('A1 port %d is refused', (port) => {
    expect(strict.allows(`https://issuer.example:${port}/`)).toBe(false)
  })

  test.each([443, 1024, 8443, 65_535])('A1 port %d is allowed', (port) => {
    expect(strict.allows(`https://issuer.example:${port}/`)).toBe(true)
  })

  test.each([
    '',
    'issuer.example',
    '//issuer.example/',
    'https://',
    'https:\\\\issuer.example\\',
    'https://issuer.example\\@127.0.0.1/',
    ' https://issuer.example/',
    'https://issuer.example/\n',
    'ht\ttps://issuer.example/',
    'https://bücher.example/',
    `https://issuer.example/${'a'.repeat(2_048)}`,
  ])('A1 what parsers may read in several ways is no address: %j', async (url) => {
    expect(strict.allows(url)).toBe(false)
    expect(await refusalOf(strict.get(url, { accept }))).toBe('The address is no URL.')
  })

  test.each([
    'http://issuer.example/',
    'http://8.8.8.8:8080/',
    'ftp://issuer.example/',
    'file:///etc/passwd',
    'data:,x',
  ])('A1 foreign addresses are https: %s', (url) => {
    expect([strict.allows(url), trial.allows(url)]).toEqual([false, false])
  })
})

describe('A1 OUTBOUND_LOOPBACK', () => {
  test('A1 it lets http to this machine pass at ports from 1024', async () => {
    const server = await serve((_request, response) => response.end('here'))
    for (const url of [server.url, `http://localhost:${server.port}`]) {
      expect(trial.allows(url)).toBe(true)
      expect((await trial.get(url, { accept })).status).toBe(200)
    }
    expect(trial.allows('http://[::1]:8080/')).toBe(true)
    expect(trial.allows('http://127.0.0.1:1024/')).toBe(true)
  })

  test('A1 without it this machine is never asked', async () => {
    const server = await serve((_request, response) => response.end())
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${server.port}/`
        expect([url, strict.allows(url)]).toEqual([url, false])
        await refusalOf(strict.get(url, { accept }))
      }
    }
    expect(server.countConnections()).toBe(0)
  })

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://localhost:1023/',
    'https://localhost/',
    'http://127.0.0.2:8080/',
    'http://agent.localhost:8080/',
    'http://0.0.0.0:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://10.0.0.1:8080/',
    'https://10.0.0.1:8443/',
    'ftp://localhost:8080/',
  ])('A1 nothing else passes with it: %s', (url) => {
    expect(trial.allows(url)).toBe(false)
  })
})

describe('A1 the answer', () => {
  test('A1 no redirect is followed: it is an answer', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/there') response.end('there')
      else response.writeHead(302, { location: '/there' }).end()
    })
    expect(await trial.get(server.url, { accept })).toMatchObject({ status: 302 })
    expect(server.paths).toEqual(['/'])
  })

  test('A1 an answer has at most 1 MiB, whatever it announces', async () => {
    const server = await serve((request, response) => {
      const size = Number(request.url?.slice(1))
      if (size % 2 === 0) response.setHeader('content-length', size)
      response.end(Buffer.alloc(size))
    })
    expect((await trial.get(`${server.url}/${MIB}`, { accept })).body).toHaveLength(MIB)
    for (const size of [MIB + 1, MIB + 2, 20 * MIB]) {
      expect(await refusalOf(trial.get(`${server.url}/${size}`, { accept }))).toBe('The answer is too large.')
    }
  })

  test('A1 a fetch ends after its time, also when a byte comes now and then', async () => {
    const closed: string[] = []
    const server = await serve((request, response) => {
      const path = request.url ?? ''
      if (path === '/drip') response.writeHead(200, { 'content-type': 'application/json' })
      const drip = path === '/drip' ? setInterval(() => response.write(' '), 10) : undefined
      request.socket.on('close', () => {
        clearInterval(drip)
        closed.push(path)
      })
    })
    const hasty = createOutbound({ allowLoopback: true, timeoutMilliseconds: 150 })
    for (const path of ['/silence', '/drip']) {
      expect(await refusalOf(hasty.get(server.url + path, { accept }))).toBe('No whole answer came in time.')
    }
    await expect.poll(() => closed).toEqual(['/silence', '/drip'])
  })

  test('A1 a caller may end a fetch before', async () => {
    const server = await serve(() => undefined)
    const getting = trial.get(server.url, { accept, signal: AbortSignal.timeout(50) })
    expect(await refusalOf(getting)).toBe('The server did not answer.')
  })

  test('A1 an answer that breaks off, is no HTTP or never comes is a failure', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/short') {
        response.writeHead(200, { 'content-length': 10 })
        response.write('x')
      } else if (request.url === '/noise') {
        request.socket.write('no HTTP\r\n\r\n')
      } else if (request.url === '/switch') {
        request.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
      }
      setTimeout(() => request.socket.destroy(), 20)
    })
    for (const path of ['/short', '/noise', '/switch', '/nothing']) {
      expect(await refusalOf(trial.get(server.url + path, { accept }))).toBe('The server did not answer.')
    }
    expect(await refusalOf(trial.get('http://127.0.0.1:1024/', { accept }))).toBe('The server did not answer.')
  })

  test('A1 the request says what is accepted and nothing about us or an earlier answer', async () => {
    const seen: unknown[] = []
    const server = await serve((request, response) => {
      seen.push(request.headers)
      response.setHeader('set-cookie', 'a=b')
      response.writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8' }).end('{}')
    })
    const answers = [await trial.get(server.url, { accept }), await trial.get(server.url, { accept })]
    expect(answers.map(({ mediaType }) => mediaType)).toEqual(['application/json', 'application/json'])
    const headers = {
      accept,
      'accept-encoding': 'identity',
      'user-agent': 'countersign',
      host: `127.0.0.1:${server.port}`,
      connection: 'close',
    }
    expect(seen).toEqual([headers, headers])
    expect(server.countConnections()).toBe(2)
  })
})

describe('A1 https', () => {
  async function serveTls(host: string) {
    const root = await mint({ name: 'Root', ca: true })
    const leaf = await mint({ name: host, issuer: root, names: [{ type: 'ip', value: host }] })
    const tls = createTlsServer({
      cert: leaf.certificate.toString('pem'),
      key: KeyObject.from(leaf.key.privateKey).export({ type: 'pkcs8', format: 'pem' }),
    })
    const { port, paths } = await serve((_request, response) => response.end('sealed'), tls)
    const outbound = createOutbound({ allowLoopback: true, certificateAuthority: root.certificate.toString('pem') })
    return { url: `https://127.0.0.1:${port}/`, paths, outbound }
  }

  test('A1 a server whose certificate names it is asked', async () => {
    const { url, outbound } = await serveTls('127.0.0.1')
    expect((await outbound.get(url, { accept })).body.toString()).toBe('sealed')
  })

  test('A1 a server with a certificate of nobody known, or for another host, is not', async () => {
    const known = await serveTls('127.0.0.1')
    expect(await refusalOf(trial.get(known.url, { accept }))).toBe('The server did not answer.')
    const other = await serveTls('127.0.0.9')
    expect(await refusalOf(other.outbound.get(other.url, { accept }))).toBe('The server did not answer.')
    expect([known.paths, other.paths]).toEqual([[], []])
  })
})
