import type { ReactNode } from 'react'
import { cn } from '@/components/lib/cn'
import { Money } from './money'

interface AmountRow {
  readonly key: string
  readonly name: ReactNode
  /** The length of a bar under the name: 0 to 1 of the largest amount of the same currency. */
  readonly share?: number
  readonly payments?: number
  readonly minor: number | bigint
  readonly currency: string
}

interface AmountTableProps {
  readonly label: string
  readonly caption?: string
  /** The headings of the columns; with `payments`, each row shows their number. */
  readonly columns: { readonly name: string; readonly payments?: string; readonly amount: string }
  readonly rows: readonly AmountRow[]
}

/** Shows amounts by name; a bar shows nothing that is not also written. */
export function AmountTable({ label, caption, columns, rows }: AmountTableProps) {
  const hasPayments = columns.payments !== undefined
  return (
    <table aria-label={label} className="w-full border-collapse">
      {caption === undefined ? null : <caption className="pb-2 text-start font-semibold">{caption}</caption>}
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="pb-1 text-start font-medium">
            {columns.name}
          </th>
          {hasPayments ? (
            <th scope="col" className="pb-1 pe-4 text-end font-medium whitespace-nowrap">
              {columns.payments}
            </th>
          ) : null}
          <th scope="col" className="pb-1 text-end font-medium whitespace-nowrap">
            {columns.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, share, payments, minor, currency }) => (
          <tr key={key} className={cn('border-t border-line align-top', payments === 0 && 'text-muted')}>
            <th scope="row" className="w-full py-2 pe-4 text-start font-normal">
              {name}
              {share === undefined ? null : <ShareBar share={share} />}
            </th>
            {hasPayments ? <td className="py-2 pe-4 text-end tabular-nums">{payments}</td> : null}
            <td className="py-2 text-end">
              <Money minor={minor} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Hidden from screen readers, since the text above says the same. */
function ShareBar({ share }: { readonly share: number }) {
  return (
    <span aria-hidden className="mt-1.5 block h-2 overflow-clip rounded-full bg-sunken">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
