import { describe, expect, test } from 'vitest'
import { merchantsText } from '@/components/merchants/messages'
import { readAddress } from '@/components/merchants/rule-draft'

const { addressBad, addressMissing } = merchantsText.form

describe('the address of a merchant', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/'],
    ['  shop.example ', 'https://shop.example/'],
    ['shop.example:8443/store', 'https://shop.example:8443/store'],
    ['HTTPS://SHOP.example:443/a/../b', 'https://shop.example/b'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['http://localhost:3000/sandbox/merchants/tallow-books', 'http://localhost:3000/sandbox/merchants/tallow-books'],
    ['http://[::1]:3000', 'http://[::1]:3000/'],
  ])('%j is %s', (typed, address) => {
    expect(readAddress(typed, merchantsText.form)).toEqual({ address })
  })

  test.each([
    ['', addressMissing],
    ['   ', addressMissing],
    ['tallow', addressBad],
    ['http://shop.example', addressBad],
    ['ftp://shop.example', addressBad],
    ['https://me@shop.example', addressBad],
    ['https://shop.example/#top', addressBad],
    ['https://shop.example/?campaign=1', addressBad],
    ['https://', addressBad],
    ['two words', addressBad],
  ])('%j is none', (typed, error) => {
    expect(readAddress(typed, merchantsText.form)).toEqual({ error })
  })
})
