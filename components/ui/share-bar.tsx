/** How much of the most this is, as a bar under words that say the same: 0 to 1. */
export function ShareBar({ share }: { readonly share: number }) {
  return (
    <span aria-hidden className="mt-1.5 block h-2 overflow-clip rounded-full bg-sunken">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
