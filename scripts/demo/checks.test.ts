import { expect, test } from 'vitest'
import { readLeftToday } from './checks'
import type { Wallet } from './wallet'

const limits = { currency: 'EUR', daily_cap_minor: 5_000, single_txn_cap_minor: null }
const payment = (amount_minor: number, currency = 'EUR') => ({ amount_minor, currency })

/** A wallet with these payments of today. */
const walletOf = (...payments: readonly object[]) =>
  ({ get: async (path: string) => (path === '/wallet/limits' ? limits : { payments }) }) as unknown as Wallet

test('what is left today is the rest of the daily limit, and never less than nothing', async () => {
  expect(await readLeftToday(walletOf(payment(1_200), payment(9_999, 'JPY')), 'EUR')).toBe(3_800)
  expect(await readLeftToday(walletOf(payment(4_300), payment(2_400)), 'EUR')).toBe(0)
  expect(await readLeftToday(walletOf(), 'JPY')).toBeNull()
})
