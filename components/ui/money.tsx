import { cn } from '@/components/lib/cn'
import { formatMoney } from '@/components/lib/money'

interface MoneyProps {
  readonly minor: number
  readonly currency: string
  readonly className?: string
}

export function Money({ minor, currency, className }: MoneyProps) {
  return <span className={cn('whitespace-nowrap tabular-nums', className)}>{formatMoney(minor, currency)}</span>
}
