import { ButtonLink } from '@/components/ui/button'
import { layoutText } from './messages'

/** The same words for what never was, what is over and what is somebody else's. */
export function NothingHere() {
  const { title, body, home } = layoutText.notFound
  return (
    <div className="grid justify-items-start gap-4">
      <title>{`${title} · ${layoutText.product}`}</title>
      <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">{title}</h1>
      <p className="max-w-prose text-muted">{body}</p>
      <ButtonLink href="/">{home}</ButtonLink>
    </div>
  )
}
