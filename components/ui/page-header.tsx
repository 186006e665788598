import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  readonly title: string
  readonly description?: ReactNode
  readonly action?: ReactNode
  readonly back?: { readonly href: string; readonly label: string }
}

export function PageHeader({ title, description, action, back }: PageHeaderProps) {
  return (
    <header className="grid gap-1">
      {back === undefined ? null : <BackLink {...back} />}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="min-w-0 text-2xl font-semibold tracking-tight sm:text-3xl">{title}</h1>
        {action}
      </div>
      {description === undefined ? null : <p className="max-w-prose text-muted">{description}</p>}
    </header>
  )
}

export function BackLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <Link
      href={href}
      className="-ms-1 inline-flex min-h-11 w-fit items-center gap-1.5 rounded-control px-1 text-muted hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {label}
    </Link>
  )
}
