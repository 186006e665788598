import type { ReactNode } from 'react'
import { Brand } from './brand'

interface BareShellProps {
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** A layout of one column without navigation. */
export function BareShell({ below, children }: BareShellProps) {
  return (
    <main className="mx-auto grid w-full max-w-md grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-12 sm:py-20">
      <Brand />
      <div className="grid gap-6 rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">{children}</div>
      {below}
    </main>
  )
}
