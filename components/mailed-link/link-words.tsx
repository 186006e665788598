import type { ReactNode } from 'react'

interface WordsProps {
  readonly title: string
  readonly body?: string
  readonly role?: 'alert' | 'status'
}

/** The heading of a page that a mailed link opens. */
export function Words({ title, body, role }: WordsProps) {
  return (
    <header role={role} className="grid gap-2">
      <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
      {body === undefined ? null : <p className="text-muted">{body}</p>}
    </header>
  )
}

/** Shows what the link is about, as a list of names and values. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere font-medium">
        <bdi>{children}</bdi>
      </dd>
    </>
  )
}
