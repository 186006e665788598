'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { DirectoryView } from '@/components/lib/api-types'
import { countryName } from '@/components/lib/country-name'
import { plainName } from '@/components/lib/plain-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { Field, Input } from '@/components/ui/field'
import { RequestFailure } from '@/components/ui/request-failure'
import { MerchantAddress, MerchantName, merchantHref } from './merchant-row'
import { merchantsTexts } from './messages'

/** How long typing must pause before a search starts. */
const PAUSE_MS = 250

interface DirectorySearchProps {
  readonly onChoose: (audience: string) => void
}

/** Finds a verified merchant by its name, so that a rule can be added without knowing the address. */
export function DirectorySearch({ onChoose }: DirectorySearchProps) {
  const text = useText(merchantsTexts).directory
  const trpc = useTRPC()
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim())
  const { data, error } = useQuery({
    ...trpc.merchants.search.queryOptions({ words }),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
  const found = words === '' ? undefined : data
  return (
    <div className="grid gap-3">
      <Field label={text.label} hint={text.hint}>
        <Input
          type="search"
          data-filter
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {error === null ? null : <RequestFailure error={error} />}
      <p role="status" className="text-sm text-muted empty:hidden">
        {found === undefined ? null : newsOf(found, text)}
      </p>
      {found === undefined || found.merchants.length === 0 ? null : (
        <RowList aria-label={text.results}>
          {found.merchants.map((merchant) => (
            <Match key={merchant.merchant_audience} merchant={merchant} onChoose={onChoose} />
          ))}
        </RowList>
      )}
    </div>
  )
}

function newsOf(
  { merchants, more }: DirectoryView,
  text: { none: string; more: string; found: (n: number) => string },
) {
  if (merchants.length === 0) return text.none
  return more ? text.more : text.found(merchants.length)
}

interface MatchProps extends DirectorySearchProps {
  readonly merchant: DirectoryView['merchants'][number]
}

function Match({ merchant: { id, merchant_audience: audience, merchant_name: name, country }, onChoose }: MatchProps) {
  const text = useText(merchantsTexts).directory
  const locale = useLocale()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <MerchantName name={name} href={merchantHref(id)} />
          <Badge icon={BadgeCheck} tone="success">
            {text.verified}
          </Badge>
        </p>
        <p className="text-sm text-muted">
          <MerchantAddress audience={audience} /> · <bdi>{countryName(country, locale)}</bdi>
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={text.chooseName(plainName(name))}
        onClick={() => onChoose(audience)}
      >
        {text.choose}
      </Button>
    </li>
  )
}

/** Returns the value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
