import { expect, test } from 'vitest'
import { readVouchedKeys } from './vouched-keys.js'

test('the authorization server is asked for keys at whatever port it listens', async () => {
  const { signal } = new AbortController()
  const asking = readVouchedKeys({ merchant: 'https://shop.example', issuer: 'http://127.0.0.1:1', signal })
  await expect(asking).rejects.toThrow('fetch failed')
})
