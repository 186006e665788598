import { describe, expect, test } from 'vitest'
import { canonicalAudience, isPayableAudience, isSameAudience } from './audience'
import { codeOf } from './test-support'

describe('a merchant audience has one form', () => {
  test.each([
    ['https://a.example/', 'https://a.example'],
    ['https://a.example', 'https://a.example'],
    ['HTTPS://A.Example.:443/', 'https://a.example'],
    ['https://a.example/shop/', 'https://a.example/shop'],
    ['https://a.example/shop', 'https://a.example/shop'],
    ['https://a.example/Shop', 'https://a.example/Shop'],
    ['https://a.example/x/..', 'https://a.example'],
    ['https://a.example/?', 'https://a.example'],
    ['https://a.example/shop?', 'https://a.example/shop'],
    ['https://a.example/%7Eshop/%41', 'https://a.example/~shop/A'],
    ['http://localhost:3000/sandbox/merchants/m1', 'http://localhost:3000/sandbox/merchants/m1'],
    ['https://%53hop.%65xample', 'https://shop.example'],
    ['https://shop%2Eexample%2e', 'https://shop.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://BÜCHER.example:8443/a', 'https://xn--bcher-kva.example:8443/a'],
    ['https://xn--BCHER-kva.example/', 'https://xn--bcher-kva.example'],
    ['https://bu\u0308cher.example', 'https://xn--bcher-kva.example'],
    ['https://bücher.xn--BCHER-kva.EXAMPLE.', 'https://xn--bcher-kva.xn--bcher-kva.example'],
    ['https://straße.24.example', 'https://xn--strae-oqa.24.example'],
    ['http://[0:0:0:0:0:0:0:1]:3000/a', 'http://[::1]:3000/a'],
    ['https://[2001:DB8:0:0::A]/', 'https://[2001:db8::a]'],
    ['https://127.1/a', 'https://127.0.0.1/a'],
    ['https://0x7F000001.', 'https://127.0.0.1'],
    ['https://2130706433:8443', 'https://127.0.0.1:8443'],
    ['https://shop1.example2', 'https://shop1.example2'],
  ])('the form of the merchant audience %s', (uri, audience) => {
    expect(canonicalAudience(uri)).toBe(audience)
    expect(canonicalAudience(audience)).toBe(audience)
    expect(isSameAudience(uri, audience)).toBe(true)
  })

  test.each([
    'https://a.example/#',
    'https://a.example/#f',
    'https://a.example/?b=1',
    'https://a.example//',
    'https://a.example//shop',
    'https://a.example/shop//../b',
    'https://a.example/shop%2F/b',
    'https://a.example/a\\b',
    'https://a.example/a%5Cb',
    'https://a.example/a b',
    'https://a.example/a%20b',
    'https://a.example/a%0Ab',
    'https://a.example/a%C2%85b',
    'https://a.example/a%FF',
    'https://u@a.example/',
    'https://ü@a.example/',
    'https://./',
    'https://a../',
    'https://shop.example%3A443',
    'https://shop%2Fexample',
    'https://shop／evil.example',
    'https://b%C3%BCcher.example',
    'https://sh\u200bop.example',
    'https://shop\u00ad.example',
    'https://bücher\u200d.example',
    'https://نامه\u200cای.example',
    'https://shop\ufe0f.example',
    'https://ｓhop.example',
    'https://shop。example',
    'https://１27.0.0.1',
    'https://bücher.sh%E2%80%8Bop.example',
    'https://256.256.256.256',
    'https://[::1::]',
    'merchant-1',
    '',
  ])('a merchant audience %j is refused', (uri) => {
    expect(codeOf(() => canonicalAudience(uri))).toBe('malformed')
  })
})

describe('whom money may go to', () => {
  const isPayable = (uri: string, isLoopbackSandbox = false) =>
    isPayableAudience(canonicalAudience(uri), isLoopbackSandbox)

  test.each([
    'https://shop.example',
    'https://shop.example:8443/a',
    'https://shop.test.example',
    'https://my-test.com',
    'https://8.8.8.8',
    'https://[2606:4700::1111]',
  ])('money may go to %s', (uri) => {
    expect([isPayable(uri), isPayable(uri, true)]).toEqual([true, true])
  })

  test.each([
    'http://shop.example',
    'https://10.0.0.1',
    'https://192.168.1.1',
    'https://3232235777',
    'https://0300.0250.1.1',
    'https://172.31.255.255',
    'https://169.254.169.254',
    'https://0xa9fea9fe',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://[::]',
    'https://[::ffff:10.0.0.1]',
    'https://[::ffff:169.254.169.254]',
    'https://[64:ff9b::a00:1]',
    'https://[64:ff9b:1::a00:1]',
    'https://[fe80::1]',
    'https://[fc00::1]',
    'https://[2002:a00:1::]',
    'https://[2001:db8::1]',
    'https://router.home.arpa',
    'https://1.0.0.127.in-addr.arpa',
    'https://shop.onion',
  ])('money may never go to %s', (uri) => {
    expect([isPayable(uri), isPayable(uri, true)]).toEqual([false, false])
  })

  test.each([
    'http://localhost:3000/shop',
    'https://localhost',
    'http://shop.localhost',
    'http://127.0.0.1:3000',
    'https://127.1',
    'http://[::1]:3000',
    'https://printer.local',
    'https://shop.internal',
    'https://shop',
    'https://shop.:8443',
    'https://shop.test',
    'https://shop.invalid',
    'https://localhost.localdomain',
  ])('money may go to %s in a sandbox on a loopback host alone', (uri) => {
    expect([isPayable(uri), isPayable(uri, true)]).toEqual([false, true])
  })
})
