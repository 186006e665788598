import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { TextLink } from '@/components/ui/text-link'

interface RightProps {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly children: ReactNode
}

/** Shows one right of the person, with its controls. */
export function Right({ id, title, body, children }: RightProps) {
  return (
    <section aria-labelledby={id} className="grid">
      <Card className="grid scroll-mt-24 content-start gap-3">
        <h2 id={id} className="scroll-mt-24 text-lg font-semibold tracking-tight">
          {title}
        </h2>
        <p>{body}</p>
        {children}
      </Card>
    </section>
  )
}

export function PageLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <TextLink href={href} className="inline-flex min-h-11 w-fit items-center">
      {children}
    </TextLink>
  )
}

/** Says that a request was accepted; rendered from the start, so that screen readers announce it. */
export function Done({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="wrap-anywhere font-medium text-success empty:hidden">
      {children}
    </p>
  )
}
