import { CopyButton } from '@/components/ui/copy-button'

interface CopyRowProps {
  readonly value: string
  /** The name of the value, which the button's label includes. */
  readonly what: string
  /** The address to link to, for a value that is the address of a page. */
  readonly href?: string
  /** The displayed form, where it reads better than the copied one. */
  readonly shown?: string
}

/** Shows a value with a button that copies it. */
export function CopyRow({ value, what, href, shown = value }: CopyRowProps) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
      <code className="min-w-0 break-all font-mono text-sm">
        {href === undefined ? (
          shown
        ) : (
          <a href={href} className="text-accent underline underline-offset-4">
            {shown}
          </a>
        )}
      </code>
      <CopyButton value={value} what={what} />
    </span>
  )
}
