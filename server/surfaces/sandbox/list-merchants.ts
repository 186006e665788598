import type { InputOf } from '../../base/contract/endpoint'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { currencyDigits } from '../../base/core/money'
import { type DirectoryFilter, listDirectory } from '../../wallet/merchants'
import type { listMerchantsEndpoint } from './contract'
import { countryCodes } from './countries'

type Filters = InputOf<typeof listMerchantsEndpoint>

const PAGE_SIZE_DEFAULT = 20
const PAGE_SIZE_MAX = 100
const PAGE_MAX = 1_000_000
const TEXT_MAX_CHARS = 200

/**
 * Returns a page of the merchants that the directory lists as active.
 * @throws 400 invalid_filter
 */
export async function listMerchants({ platform, now }: AnonymousCall, input: Filters) {
  const page = parseWholeNumber('page', input.page, 1)
  const pageSize = Math.min(parseWholeNumber('page_size', input.page_size, PAGE_SIZE_DEFAULT), PAGE_SIZE_MAX)
  const filter: DirectoryFilter = {
    country: parseCountry(input.country),
    currency: parseCurrency(input.currency),
    rail: parseWords('rail', input.rail),
    words: parseWords('q', input.q),
  }
  const { entries, total } = await listDirectory(
    platform.db,
    { filter, now },
    {
      offset: (page - 1) * pageSize,
      limit: pageSize,
    },
  )
  return {
    merchants: entries.map((entry) => ({
      ...entry,
      verification_status: 'verified' as const,
      verified_at: entry.verified_at?.toISOString() ?? null,
    })),
    page,
    page_size: pageSize,
    total,
  }
}

function buildFilterError(description: string): ServiceError {
  return new ServiceError('invalid_filter', description)
}

function parseCountry(country: string | undefined): string | null {
  if (country === undefined) return null
  if (!countryCodes.has(country)) throw buildFilterError('country must be an ISO 3166-1 alpha-2 code in upper case.')
  return country
}

function parseCurrency(currency: string | undefined): string | null {
  if (currency === undefined) return null
  if (currencyDigits(currency) === null) throw buildFilterError('currency must be an ISO 4217 code in upper case.')
  return currency
}

function parseWords(name: string, words: string | undefined): string | null {
  if (words === undefined || words === '') return null
  if (words.length > TEXT_MAX_CHARS) throw buildFilterError(`${name} may have at most ${TEXT_MAX_CHARS} characters.`)
  return words
}

function parseWholeNumber(name: string, digits: string | undefined, standard: number): number {
  if (digits === undefined) return standard
  const value = /^\d{1,7}$/.test(digits) ? Number(digits) : 0
  if (value < 1 || value > PAGE_MAX) throw buildFilterError(`${name} must be a whole number from 1.`)
  return value
}
