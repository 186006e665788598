'use client'

import { useText } from '@/components/i18n/locale-provider'
import { Button } from '@/components/ui/button'
import { currencyTexts } from './currency-messages'
import type { Removal } from './use-removal'

interface RemoveCurrencyProps {
  readonly currency: string
  readonly removal: Removal
}

/** Removes the limits of one of several currencies with one press. */
export function RemoveCurrency({ currency, removal }: RemoveCurrencyProps) {
  const text = useText(currencyTexts)
  return (
    <Button variant="secondary" className="w-fit" busy={removal.isPending} onClick={() => removal.mutate({ currency })}>
      {text.remove(currency)}
    </Button>
  )
}
