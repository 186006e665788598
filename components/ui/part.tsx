import type { ReactNode } from 'react'

interface PartProps {
  readonly title?: string
  readonly note?: ReactNode
  readonly children: ReactNode
}

/** Shows one part of an approval, below a hairline. */
export function Part({ title, note, children }: PartProps) {
  return (
    <div className="grid grid-cols-1 gap-1.5 border-t border-line px-5 py-2 sm:gap-3 sm:px-6 sm:py-4">
      {title === undefined ? null : (
        <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-muted">
          <span className="font-semibold">{title}</span>
          {note === undefined ? null : <span>{note}</span>}
        </h2>
      )}
      {children}
    </div>
  )
}
