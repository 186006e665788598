import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { accessibilityTexts } from '@/components/accessibility/messages'
import { readText } from '@/components/i18n/read-text'
import { TextLink } from '@/components/ui/text-link'
import { readOperatorContact } from '@/server/transport/trpc/public-pages'
import { OpenPage } from '../open-page'

export async function generateMetadata(): Promise<Metadata> {
  const { title } = await readText(accessibilityTexts)
  return { title }
}

/** The accessibility statement, which needs no sign-in. A signed-in person reads it within the wallet. */
export default async function Accessibility() {
  const text = await readText(accessibilityTexts)
  const contact = readOperatorContact()
  return (
    <OpenPage>
      <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
      <Part id="standard" title={text.standard.title}>
        <p>{text.standard.body}</p>
      </Part>
      <Part id="checked" title={text.checked.title}>
        <p>{text.checked.body}</p>
      </Part>
      <Part id="known" title={text.known.title}>
        <ul className="grid list-disc gap-2 ps-5">
          {text.known.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </Part>
      <Part id="contact" title={text.contact.title}>
        <p>{contact === null ? text.contact.none : text.contact.body}</p>
        {contact === null ? null : (
          <p className="wrap-anywhere">
            <TextLink href={contact.href}>{contact.name}</TextLink>
          </p>
        )}
      </Part>
      <Part id="enforcement" title={text.enforcement.title}>
        <p>{text.enforcement.body}</p>
      </Part>
    </OpenPage>
  )
}

interface PartProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

function Part({ id, title, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-lg font-semibold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  )
}
