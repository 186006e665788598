/** Shows a letter in place of a picture of the person. */
export function Initial({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent uppercase"
    >
      {Array.from(name.trim())[0] ?? '?'}
    </span>
  )
}
