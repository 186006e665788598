import { plainName } from '@/components/lib/plain-text'

const LETTERS_MAX = 2

/** Shows the initials of a shop's name in place of a logo; no picture is fetched. */
export function Initials({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden
      data-foreign
      className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-sm font-semibold text-muted"
    >
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = plainName(name).match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .slice(0, LETTERS_MAX)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
}
