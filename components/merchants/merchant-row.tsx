import Link from 'next/link'
import type { ReactNode } from 'react'
import { readOrigin } from '@/components/lib/origin'
import { plainName } from '@/components/lib/plain-text'
import { Button } from '@/components/ui/button'

interface MerchantRowProps {
  readonly audience: string
  /** The registered name; null when only the address is known. */
  readonly name: string | null
  /** The merchant's page; left out where it has none. */
  readonly href?: string | undefined
  /** The agents that it concerns, and since when. */
  readonly detail: ReactNode
  readonly action: string
  /** The action in full, for screen readers, which read the buttons one after the other. */
  readonly actionName: string
  readonly busy: boolean
  readonly onAction: () => void
}

/** Shows a merchant with its whole address and one action. */
export function MerchantRow({ audience, name, href, detail, action, actionName, busy, onAction }: MerchantRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-5 py-3">
      <div className="grid gap-0.5 max-sm:col-span-2 sm:self-end">
        {name === null ? null : <MerchantName name={name} href={href} />}
        <p className={name === null ? 'text-ink' : 'text-muted'}>
          <MerchantAddress audience={audience} />
        </p>
      </div>
      <p className="text-sm text-muted sm:self-start">{detail}</p>
      <Button
        variant="secondary"
        size="sm"
        className="sm:col-start-2 sm:row-span-2 sm:row-start-1"
        aria-label={actionName}
        busy={busy}
        onClick={onAction}
      >
        {action}
      </Button>
    </li>
  )
}

/** Links to the merchant's page, which says whether it is verified, and why. */
export function MerchantName({ name, href }: Pick<MerchantRowProps, 'href'> & { readonly name: string }) {
  const text = <bdi className="wrap-anywhere font-medium">{plainName(name)}</bdi>
  if (href === undefined) return text
  return (
    <Link href={href} className="w-fit underline decoration-line underline-offset-4 hover:decoration-ink">
      {text}
    </Link>
  )
}

export const merchantHref = (id: string): string => `/merchants/${encodeURIComponent(id)}`

/** Shows the whole address, so that it can be compared; it may break anywhere. */
export function MerchantAddress({ audience }: { readonly audience: string }) {
  const { text: origin, path } = readOrigin(audience)
  return (
    <code className="break-all font-mono text-sm">
      <bdi>{origin + path}</bdi>
    </code>
  )
}
