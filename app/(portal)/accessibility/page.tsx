import type { Metadata } from 'next'
import { accessibilityTexts } from '@/components/accessibility/messages'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { SectionLink, TextLink } from '@/components/ui/text-link'
import { readOperatorContact, readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(accessibilityTexts)
  return { title }
}

/** The accessibility statement, which needs no sign-in. */
export default async function Accessibility() {
  const text = await readText(accessibilityTexts)
  const { sandbox, signedInAt } = await readSignInOptions()
  const contact = readOperatorContact()
  return (
    <PublicShell sandbox={sandbox}>
      <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
      <Part {...text.standard} />
      <Part {...text.checked} />
      <section className="grid gap-2">
        <h2 className="text-lg font-semibold tracking-tight">{text.known.title}</h2>
        <ul className="grid list-disc gap-2 ps-5">
          {text.known.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </section>
      <section className="grid gap-2">
        <h2 className="text-lg font-semibold tracking-tight">{text.contact.title}</h2>
        <p>{contact === null ? text.contact.none : text.contact.body}</p>
        {contact === null ? null : (
          <p className="wrap-anywhere">
            <TextLink href={contact.href}>{contact.name}</TextLink>
          </p>
        )}
      </section>
      <Part {...text.enforcement} />
      {signedInAt !== null ? <SectionLink href="/">{text.back}</SectionLink> : null}
    </PublicShell>
  )
}

interface PartProps {
  readonly title: string
  readonly body: string
}

function Part({ title, body }: PartProps) {
  return (
    <section className="grid gap-2">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <p>{body}</p>
    </section>
  )
}
