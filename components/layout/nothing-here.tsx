import { readText } from '@/components/i18n/read-text'
import { buttonVariants } from '@/components/ui/button-variants'
import { layoutTexts } from './messages'
import { PRODUCT } from './product'

/** The same page for what never existed, what has ended and what belongs to another person. */
export async function NothingHere() {
  const { notFound } = await readText(layoutTexts)
  const { title, body, home } = notFound
  return (
    <div className="grid justify-items-start gap-4">
      <title>{`${title} · ${PRODUCT}`}</title>
      <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">{title}</h1>
      <p className="max-w-prose text-muted">{body}</p>
      {/* Every page brings this one along, and a plain link brings no script. */}
      <a href="/" className={buttonVariants()}>
        {home}
      </a>
    </div>
  )
}
