'use client'

import { useFormat } from '@/components/i18n/use-format'
import { cn } from '@/components/lib/cn'

interface MoneyProps {
  readonly minor: number | bigint
  readonly currency: string
  readonly className?: string
}

export function Money({ minor, currency, className }: MoneyProps) {
  const format = useFormat()
  return <span className={cn('whitespace-nowrap tabular-nums', className)}>{format.money(minor, currency)}</span>
}

const LONG_CHARS = 11
const VERY_LONG_CHARS = 16

/** Shows the amount that a page is about. A long amount is drawn smaller, so that it does not break. */
export function Amount({ minor, currency }: Omit<MoneyProps, 'className'>) {
  const text = useFormat().money(minor, currency)
  const size = text.length > VERY_LONG_CHARS ? 'text-xl' : text.length > LONG_CHARS ? 'text-3xl' : 'text-display'
  return <span className={cn('block font-semibold tracking-tight tabular-nums', size)}>{text}</span>
}
