import { ButtonLink } from './button'

interface PageLinksProps {
  readonly words: { readonly title: string; readonly newest: string; readonly older: string }
  /** The address of the newest entries; null on their page. */
  readonly newest: string | null
  /** The address of the next older entries; null where there are none. */
  readonly older: string | null
}

/** Shows the links between the pages of a list that begins with the newest entry. */
export function PageLinks({ words, newest, older }: PageLinksProps) {
  if (newest === null && older === null) return null
  return (
    <nav aria-label={words.title} className="flex justify-between gap-4">
      {newest === null ? (
        <span />
      ) : (
        <ButtonLink href={newest} variant="secondary">
          {words.newest}
        </ButtonLink>
      )}
      {older === null ? null : (
        <ButtonLink href={older} variant="secondary">
          {words.older}
        </ButtonLink>
      )}
    </nav>
  )
}
